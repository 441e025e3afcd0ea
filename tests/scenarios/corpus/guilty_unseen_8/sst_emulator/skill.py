import torch


class CellMoments:
    """Welford's running mean and variance for every grid cell."""

    def __init__(self, shape):
        self.n = 0
        self.mean = torch.zeros(shape)
        self.m2 = torch.zeros(shape)

    def push(self, field):
        self.n += 1
        delta = field - self.mean
        self.mean = self.mean + delta / self.n  # <- culprit
        self.m2 = self.m2 + delta * (field - self.mean)  # <- culprit

    def summary(self):
        var = self.m2 / max(1, self.n - 1)
        return self.mean.abs().max().item(), var.clamp_min(0).sqrt().mean().item()
