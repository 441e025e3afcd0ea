import torch


class Corridor:
    """Store-and-forward queues, four approaches per junction; through traffic feeds the next junction."""

    def __init__(self, junctions: int, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.queue = torch.rand(junctions, 4, generator=self.gen)
        self.base = 0.15 + 0.2 * torch.rand(junctions, 4, generator=self.gen)
        self.clock = 0

    @property
    def sensors(self) -> int:
        return 6

    def observe(self) -> torch.Tensor:
        phase = torch.tensor(self.clock * 0.1)
        noise = 0.05 * torch.randn(self.queue.shape, generator=self.gen)
        tide = torch.stack([phase.sin(), phase.cos()]).expand(len(self.queue), 2)
        return torch.cat([(self.queue + noise).clamp(0, 2), tide], 1)

    def apply(self, split: torch.Tensor) -> torch.Tensor:
        self.clock += 1
        served = torch.minimum(self.queue, 1.1 * split)
        arrivals = self.base * (1 + 0.5 * torch.rand(self.queue.shape, generator=self.gen))
        self.queue = self.queue - served + arrivals * 0.8
        self.queue[1:, 0] += 0.2 * served[:-1, 0]
        self.queue.clamp_(max=3.0)
        return self.queue.clone()

    def mean_queue(self) -> float:
        return self.queue.mean().item()
