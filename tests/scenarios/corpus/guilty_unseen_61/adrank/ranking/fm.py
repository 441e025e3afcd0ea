"""Factorisation machine with pair interactions shared by the tasks."""
import torch
from torch import nn


class TwoTaskFM(nn.Module):
    def __init__(self, fields, dim, tasks):
        super().__init__()
        self.fields, self.tasks = list(fields), tuple(tasks)
        offset = torch.tensor([0] + self.fields[:-1]).cumsum(0)
        self.register_buffer("offset", offset)
        n = sum(self.fields)
        self.factors = nn.Embedding(n, dim)
        nn.init.normal_(self.factors.weight, std=0.1)
        self.linear = nn.ModuleDict({t: nn.Embedding(n, 1) for t in tasks})
        for table in self.linear.values():
            nn.init.zeros_(table.weight)

    def forward(self, ids):
        rows = ids + self.offset
        v = self.factors(rows)
        pair = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(-1)
        return {t: pair + self.linear[t](rows).sum((1, 2)) for t in self.tasks}
