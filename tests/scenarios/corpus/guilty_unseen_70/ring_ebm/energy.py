import torch
from torch import nn


class EnergyNet(nn.Module):
    def __init__(self, side):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.SiLU(),
            nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.SiLU(),
            nn.Flatten(), nn.Linear(8 * (side // 2) ** 2, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)


def rings(count, side, generator):
    axis = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    radius = 0.4 + 0.4 * torch.rand(count, 1, 1, generator=generator)
    distance = (xx ** 2 + yy ** 2).sqrt()
    return torch.exp(-20 * (distance - radius) ** 2).unsqueeze(1)
