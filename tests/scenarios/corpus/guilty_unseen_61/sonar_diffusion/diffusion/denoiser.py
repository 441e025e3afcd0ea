"""MLP denoiser that sees the noisy ping, a previous estimate and the time."""
import torch
from torch import nn


class PingDenoiser(nn.Module):
    def __init__(self, length, timesteps, width=64):
        super().__init__()
        self.length = length
        self.time = nn.Embedding(timesteps, width)
        self.inp = nn.Linear(2 * length, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, length)

    def forward(self, x_t, estimate, t):
        h = self.inp(torch.cat([x_t, estimate], dim=-1)) + self.time(t)
        return self.out(h + self.mid(h))
