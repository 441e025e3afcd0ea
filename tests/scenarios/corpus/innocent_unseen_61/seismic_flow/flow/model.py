"""Act-norm, couplings and flips."""
import math

import torch
from torch import nn


class ActNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.shift, self.log_scale = nn.Parameter(torch.zeros(dim)), nn.Parameter(torch.zeros(dim))
        self.ready = False

    @torch.no_grad()
    def prepare(self, x):
        self.shift.copy_(-x.mean(0))
        self.log_scale.copy_(-x.std(0).clamp(min=1e-3).log())
        self.ready = True

    def forward(self, x):
        if not self.ready:
            self.prepare(x)
        return (x + self.shift) * self.log_scale.exp(), self.log_scale.sum()


class Coupling(nn.Module):
    def __init__(self, dim, width=32):
        super().__init__()
        self.half = dim // 2
        self.net = nn.Sequential(nn.Linear(self.half, width), nn.ReLU(inplace=True), nn.Linear(width, dim))

    def forward(self, x):
        a, b = x[:, :self.half], x[:, self.half:]
        h = self.net(a)
        h += 0.01
        log_s, t = h.chunk(2, -1)
        log_s = 1.5 * torch.tanh(log_s)
        moved = b * log_s.exp()
        moved += t
        return torch.cat([moved, a], -1), log_s.sum(-1)


class SeismicFlow(nn.Module):
    def __init__(self, dim, blocks=3):
        super().__init__()
        self.dim = dim
        self.parts = nn.ModuleList(m for _ in range(blocks) for m in (ActNorm(dim), Coupling(dim)))

    def log_prob(self, x):
        logdet = torch.zeros(x.size(0))
        for part in self.parts:
            x, ld = part(x)
            logdet += ld
        return logdet - 0.5 * (x.pow(2).sum(-1) + self.dim * math.log(2 * math.pi))
