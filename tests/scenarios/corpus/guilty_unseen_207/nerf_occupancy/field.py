import torch
from torch import nn


class Fourier(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.register_buffer("freq", 2.0 ** torch.arange(levels))

    def forward(self, x):
        angles = x.unsqueeze(-1) * self.freq
        return torch.cat([angles.sin(), angles.cos()], dim=-1).flatten(-2)


class OccupancyField(nn.Module):
    def __init__(self, levels=4, width=32):
        super().__init__()
        self.embed = Fourier(levels)
        self.net = nn.Sequential(nn.Linear(4 * levels, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(self.embed(x)).squeeze(-1)
