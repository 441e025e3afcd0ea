import torch
from torch import nn


class ClickRanker(nn.Module):
    """Factorisation machine with a small deep part."""

    def __init__(self, fields, cardinality, dim):
        super().__init__()
        offsets = torch.arange(fields) * cardinality
        self.register_buffer("offsets", offsets)
        self.factors = nn.Embedding(fields * cardinality, dim)
        self.linear = nn.Embedding(fields * cardinality, 1)
        self.deep = nn.Sequential(nn.Linear(fields * dim, 32), nn.ReLU(), nn.Linear(32, 1))
        nn.init.normal_(self.factors.weight, std=0.05)
        nn.init.zeros_(self.linear.weight)

    def forward(self, ids):
        ids = ids + self.offsets
        v = self.factors(ids)
        pairwise = 0.5 * (v.sum(dim=1).pow(2) - v.pow(2).sum(dim=1)).sum(dim=1)
        first = self.linear(ids).sum(dim=(1, 2))
        return pairwise + first + self.deep(v.flatten(1)).squeeze(1)
