import torch


class StreamSource:
    def __init__(self, streams, mel, phones, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(phones, mel, generator=self.gen)
        self.now = torch.zeros(streams, dtype=torch.long)
        self.phones = phones

    def _tick(self):
        jump = torch.rand(len(self.now), generator=self.gen) < 0.3
        fresh = torch.randint(0, self.phones, self.now.shape, generator=self.gen)
        self.now = torch.where(jump, fresh, self.now)
        x = self.proto[self.now]
        return x + 0.6 * torch.randn(x.shape, generator=self.gen), self.now.clone()

    def chunks(self, length, count):
        for _ in range(count):
            xs, ys = zip(*(self._tick() for _ in range(length)))
            yield torch.stack(xs), torch.stack(ys)
