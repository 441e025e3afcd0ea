import torch
import torch.nn as nn


class EnergyNet(nn.Module):
    def __init__(self, n_in, width=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.heat = nn.Linear(width, 1)
        self.power = nn.Linear(width, 1)
        self.occupied = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return {
            "heat": self.heat(h).squeeze(-1),
            "power": self.power(h).squeeze(-1),
            "occupied": self.occupied(h).squeeze(-1),
        }
