import torch
import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, i, o, hidden=16):
        super().__init__()
        self.a, self.b = nn.Linear(i, hidden), nn.Linear(hidden, o)

    def forward(self, x):
        return F.normalize(self.b(F.gelu(self.a(x))), dim=-1)


def clicks(catalogue, n):
    idx = torch.randperm(len(catalogue))[:n]
    return catalogue[idx] + 0.3 * torch.randn(n, catalogue.shape[1]), idx
