import torch


class SineTasks:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def sample(self, k):
        amp = 0.5 + 2 * torch.rand(1, generator=self.gen)
        phase = 3 * torch.rand(1, generator=self.gen)
        x = 6 * torch.rand(2 * k, 1, generator=self.gen) - 3
        y = amp * torch.sin(x + phase)
        return (x[:k], y[:k]), (x[k:], y[k:])
