import torch
from torch import nn


class RunningNormBase(nn.Module):
    """Normalises by long-run statistics, in training as well as afterwards."""

    def __init__(self, width, pace):
        super().__init__()
        self.pace = pace
        self.register_buffer("mu", torch.zeros(width))
        self.register_buffer("sd", torch.ones(width))

    def absorb(self, z):
        self.mu = torch.lerp(self.mu, z.mean(0), self.pace)  # <- culprit
        self.sd = torch.lerp(self.sd, z.std(0), self.pace)  # <- culprit

    def forward(self, z):
        if self.training:
            self.absorb(z)
        return self.finish((z - self.mu) / (self.sd + 1e-3))

    def finish(self, z):
        raise NotImplementedError


class TanhNorm(RunningNormBase):
    def finish(self, z):
        return torch.tanh(z)
