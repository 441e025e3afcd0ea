import torch
from torch import nn


class Schedule:
    def __init__(self, steps: int):
        self.steps = steps
        beta = torch.linspace(1e-4, 0.05, steps)
        self.alpha_bar = torch.cumprod(1.0 - beta, dim=0)

    def diffuse(self, x0, noise, t):
        a = self.alpha_bar[t].unsqueeze(1)
        return a.sqrt() * x0 + (1.0 - a).sqrt() * noise


class Denoiser(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.time = nn.Embedding(100, width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        return self.out(self.mid(self.inp(x) + self.time(t)))
