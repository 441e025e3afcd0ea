import torch
from torch import nn


def pair_dist(xyz):
    i, j = torch.triu_indices(xyz.shape[1], xyz.shape[1], 1)
    return (xyz[:, i] - xyz[:, j]).norm(dim=-1)


def lennard_jones(xyz, eps=0.4, sig=1.0):
    q = (sig / pair_dist(xyz)) ** 6
    return (4 * eps * (q * q - q)).sum(1)


class PairNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.mu = nn.Parameter(torch.linspace(0.8, 3.0, 8), requires_grad=False)
        self.f = nn.Sequential(nn.Linear(8, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, xyz):
        d = pair_dist(xyz).unsqueeze(-1)
        rbf = torch.exp(-6.0 * (d - self.mu) ** 2)
        return self.f(rbf).squeeze(-1).sum(1)
