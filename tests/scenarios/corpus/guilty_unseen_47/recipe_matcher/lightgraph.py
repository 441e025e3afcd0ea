import torch
from torch import nn


class LightGraph(nn.Module):
    """LightGCN with learnable mixing of the hops."""

    def __init__(self, n_cooks, n_dishes, dim, hops, adj):
        super().__init__()
        self.n_cooks = n_cooks
        self.base = nn.Embedding(n_cooks + n_dishes, dim)
        nn.init.normal_(self.base.weight, std=0.1)
        self.mix = nn.Parameter(torch.zeros(hops + 1))
        self.hops = hops
        self.register_buffer("adj", adj)
        self._tables = None

    def refresh(self):
        self._tables = None

    def propagate(self):
        layer = self.base.weight
        layers = [layer]
        for _ in range(self.hops):
            layer = self.adj @ layer
            layers.append(layer)
        share = self.mix.softmax(0)
        mixed = (torch.stack(layers) * share.view(-1, 1, 1)).sum(0)
        return mixed[:self.n_cooks], mixed[self.n_cooks:]

    def tables(self):
        if self._tables is None:
            self._tables = self.propagate()  # <- culprit
        return self._tables  # <- culprit

    def base_norm(self, cook, liked, other):
        rows = torch.cat([cook, liked + self.n_cooks, other + self.n_cooks])
        return self.base(rows).pow(2).sum() / len(cook)
