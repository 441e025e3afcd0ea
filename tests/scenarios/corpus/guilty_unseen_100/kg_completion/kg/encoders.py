import torch
from torch import nn


class MessagePassing(nn.Module):
    def __init__(self, graph, dim, layers):
        super().__init__()
        self.base = nn.Parameter(0.3 * torch.randn(graph.cfg.entities, dim))
        self.mix = nn.ModuleList(nn.Linear(dim, dim) for _ in range(layers))
        self.register_buffer("adj", graph.adj)

    def forward(self):
        h = self.base
        for layer in self.mix:
            h = torch.tanh(layer(self.adj @ h)) + h
        return nn.functional.normalize(h, dim=-1)


class CachedEncoder(nn.Module):
    """The full entity table is the expensive part; `period` says for how many uses it is good."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.period = 1
        self._table, self._uses = None, 0

    def table(self):
        if self._table is None or self._uses >= self.period:
            self._table, self._uses = self.inner(), 0  # <- culprit
        self._uses += 1
        return self._table  # <- culprit

    def forward(self, idx):
        return self.table()[idx]
