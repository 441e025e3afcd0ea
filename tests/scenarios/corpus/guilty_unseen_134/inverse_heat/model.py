import torch
from torch import nn


class RodNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_kappa = nn.Parameter(torch.tensor(-2.0))

    @property
    def kappa(self):
        return self.log_kappa.exp()

    def forward(self, x, t):
        return self.f(torch.stack([x, t], -1)).squeeze(-1)
