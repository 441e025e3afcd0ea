import torch
from torch import nn


class Body:
    def reset(self):
        self.s = torch.zeros(6)
        return self.s

    def step(self, a):
        drive = torch.tanh(a).repeat(2)[:6]
        self.s = 0.9 * self.s + 0.2 * drive * torch.cos(self.s.roll(1)) + 0.01 * torch.randn(6)
        return self.s, self.s[0].item()


class Ensemble(nn.Module):
    def __init__(self, members, d=6, a=3):
        super().__init__()
        self.nets = nn.ModuleList(nn.Sequential(nn.Linear(d + a, 32), nn.SiLU(), nn.Linear(32, d)) for _ in range(members))

    def forward(self, s, a):
        x = torch.cat([s, a], -1)
        return s + torch.stack([n(x) for n in self.nets])

    def mean(self, s, a):
        return self(s, a).mean(0)

    def fit_error(self, s, a, nxt):
        return (self(s, a) - nxt).square().mean()
