import torch
from torch import nn


class RelationalEncoder(nn.Module):
    """One R-GCN-like layer over all entities."""

    def __init__(self, entities, relations, dim=24):
        super().__init__()
        self.ent = nn.Parameter(torch.randn(entities, dim) * 0.1)
        self.rel = nn.Parameter(torch.randn(relations, dim) * 0.3)
        self.lin = nn.Linear(dim, dim)

    def forward(self, triples):
        h, r, t = triples.T
        msg = self.ent[h] * self.rel[r]
        pooled = torch.zeros_like(self.ent).index_add(0, t, msg)
        return self.ent + torch.tanh(self.lin(pooled))

    def score(self, table, triples):
        h, r, t = triples.T
        return (table[h] * self.rel[r] * table[t]).sum(-1)
