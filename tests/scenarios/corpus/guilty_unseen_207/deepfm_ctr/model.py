import torch
from torch import nn


class DeepFM(nn.Module):
    def __init__(self, fields, dim=8, hidden=32):
        super().__init__()
        self.register_buffer("offset", torch.tensor([0, *fields[:-1]]).cumsum(0))
        total = sum(fields)
        self.linear = nn.Embedding(total, 1)
        self.factors = nn.Embedding(total, dim)
        self.deep = nn.Sequential(nn.Linear(dim * len(fields), hidden), nn.ReLU(), nn.Linear(hidden, 1))
        nn.init.normal_(self.factors.weight, std=0.1)

    def forward(self, columns):
        idx = columns + self.offset
        v = self.factors(idx)
        pair = 0.5 * (v.sum(dim=1).pow(2) - v.pow(2).sum(dim=1)).sum(dim=-1)
        return self.linear(idx).sum(dim=(1, 2)) + pair + self.deep(v.flatten(1)).squeeze(-1)
