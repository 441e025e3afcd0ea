import torch
from torch import nn


class RunningScale(nn.Module):
    """Shift and scale by running moments (no batch moments, so it works for tiny batches)."""

    def __init__(self, width, every=5, momentum=0.1, eps=1e-4):
        super().__init__()
        self.every, self.momentum, self.eps = every, momentum, eps
        self.calls = 0
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("var", torch.ones(width))
        self.register_buffer("scale", torch.ones(width))

    @torch.no_grad()
    def track(self, x):
        self.mean.lerp_(x.mean(0), self.momentum)
        self.var.lerp_(x.var(0), self.momentum)
        self.calls += 1
        if self.calls % self.every == 0:
            self.scale.copy_((self.var + self.eps).rsqrt())  # <- culprit

    def forward(self, x):
        out = (x - self.mean) * self.scale
        if self.training:
            self.track(x)  # <- culprit
        return out
