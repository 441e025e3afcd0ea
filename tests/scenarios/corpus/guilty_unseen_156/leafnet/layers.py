import torch
from torch import nn


class CenteredWhitening(nn.Module):
    """Batch statistics while training, smoothed ones at test time; scale only, no covariance."""

    def __init__(self, dim, momentum=0.05, eps=1e-4):
        super().__init__()
        self.momentum = momentum
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(dim))
        self.register_buffer("center", torch.zeros(dim))
        self.register_buffer("spread", torch.ones(dim))

    def forward(self, x):
        if not self.training:
            return self.gain * (x - self.center) / (self.spread + self.eps)
        mu = x.mean(dim=0)
        dev = (x - mu).abs().mean(dim=0)
        self.center = self.center + self.momentum * (mu - self.center)  # <- culprit
        with torch.no_grad():
            self.spread.lerp_(dev, self.momentum)
        return self.gain * (x - mu) / (dev + self.eps)
