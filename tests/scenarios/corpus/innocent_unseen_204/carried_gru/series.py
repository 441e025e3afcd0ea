import torch


class Oscillators:
    def __init__(self, dim, rows, seed=5):
        gen = torch.Generator().manual_seed(seed)
        self.freq = 0.1 + 0.4 * torch.rand(rows, 1, dim, generator=gen)
        self.phase = 6.28 * torch.rand(rows, 1, dim, generator=gen)

    def values(self, start, length):
        t = torch.arange(start, start + length, dtype=torch.float32)[None, :, None]
        return torch.sin(self.freq * t + self.phase)

    def chunks(self, count, length):
        for i in range(count):
            x = self.values(i * length, length + 1)
            yield x[:, :-1], x[:, 1:]
