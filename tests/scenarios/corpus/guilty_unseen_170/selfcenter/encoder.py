import torch
import torch.nn as nn
import torch.nn.functional as F


class MovingStats(nn.Module):
    """Base of layers that keep a slowly moving statistic of what they see."""

    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.stat = None

    def track(self, value):
        if self.stat is None:
            self.stat = value  # <- culprit
        else:
            self.stat = (1 - self.rate) * self.stat + self.rate * value  # <- culprit
        return self.stat


class Centering(MovingStats):
    def forward(self, z):
        center = self.track(z.mean(0, keepdim=True))  # <- culprit
        return z - center  # <- culprit


class Projector(nn.Module):
    def __init__(self, feat=64, dim=16):
        super().__init__()
        self.lin = nn.Linear(feat, dim)
        self.center = Centering(0.1)

    def forward(self, x):
        return self.center(self.lin(x))


def spread(z):
    """Variance and covariance terms that keep the dimensions apart."""
    std = (z.var(0) + 1e-4).sqrt()
    cov = (z.T @ z) / (len(z) - 1)
    off = cov - torch.diag_embed(torch.diagonal(cov))
    return F.relu(1 - std).mean() + 0.1 * off.pow(2).sum() / z.shape[1]
