import torch
from torch import nn


class Memo:
    """Compute once, then hand out."""

    def __init__(self, fn):
        self.fn = fn
        self._store = {}

    def __call__(self, key):
        try:
            return self._store[key]  # <- culprit
        except KeyError:
            value = self._store[key] = self.fn(key)  # <- culprit
            return value


class TableBook(nn.Module):
    def __init__(self, graphs, items, dim, hops=2):
        super().__init__()
        self.base = nn.Parameter(0.1 * torch.randn(items, dim))
        self.mix = nn.ParameterList([nn.Parameter(torch.eye(dim)) for _ in range(hops)])
        self.graphs = graphs
        self.tables = Memo(self._propagate)  # <- culprit

    def _propagate(self, month):
        a = self.graphs[month]
        h = self.base
        out = h
        for w in self.mix:
            h = torch.tanh(a @ h @ w)
            out = out + h
        return out

    def lookup(self, month):
        return self.tables(month)  # <- culprit
