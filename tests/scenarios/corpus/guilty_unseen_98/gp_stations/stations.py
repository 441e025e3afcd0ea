import torch


class Stations:
    """Stations in a unit square, some sit almost on top of one another."""

    def __init__(self, n):
        base = torch.rand(n - 30, 2)
        twins = base[:30] + 1e-4 * torch.randn(30, 2)
        self.xy = torch.cat([base, twins])
        x, y = self.xy.unbind(1)
        self.pm = torch.sin(5 * x) + torch.cos(4 * y) + 0.1 * torch.randn(n)

    def batches(self, count, size):
        for _ in range(count):
            pick = torch.randperm(len(self.xy))[:size]
            yield self.xy[pick], self.pm[pick]
