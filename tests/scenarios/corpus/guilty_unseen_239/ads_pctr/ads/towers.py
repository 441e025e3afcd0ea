import torch
from torch import nn


class Tower(nn.Module):
    width_factor = 2

    def __init__(self, fin, dim):
        super().__init__()
        hidden = dim * self.width_factor
        self.layers = nn.Sequential(nn.Linear(fin, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, x):
        return nn.functional.normalize(self.layers(x), dim=-1)


class AdTower(Tower):
    width_factor = 3


class RequestTower(Tower):
    pass
