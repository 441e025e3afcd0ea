import torch
from torch import nn


class PairPotential(nn.Module):
    def __init__(self, rbf=8, h=16):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.5, 3.5, rbf))
        self.net = nn.Sequential(nn.Linear(rbf, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, xyz):
        i, j = torch.triu_indices(xyz.shape[1], xyz.shape[1], 1)
        r = (xyz[:, i] - xyz[:, j]).norm(dim=-1, keepdim=True)
        return self.net(torch.exp(-4 * (r - self.mu) ** 2)).sum((1, 2))
