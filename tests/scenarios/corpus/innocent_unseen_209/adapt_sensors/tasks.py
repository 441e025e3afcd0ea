import torch


class SensorFleet:
    def __init__(self, count: int, seed: int) -> None:
        self.gen = torch.Generator().manual_seed(seed)
        self.gain = 0.5 + torch.rand(count, generator=self.gen)
        self.skew = torch.randn(count, generator=self.gen) * 0.5

    def pick(self, n: int):
        return torch.randperm(len(self.gain), generator=self.gen)[:n].tolist()

    def episode(self, sid: int, n: int = 12):
        x = torch.randn(2 * n, 2, generator=self.gen)
        y = self.gain[sid] * torch.sin(x[:, 0] + self.skew[sid]) + 0.2 * x[:, 1]
        return (x[:n], y[:n]), (x[n:], y[n:])
