import torch
from torch import nn
import torch.nn.functional as F


class PropagationEncoder(nn.Module):
    def __init__(self, adj, dim, layers):
        super().__init__()
        self.register_buffer("adj", adj)
        self.layers = layers
        self.base = nn.Parameter(0.1 * torch.randn(adj.shape[0], dim))
        self.gate = nn.Parameter(torch.zeros(dim))
        self._table = None
        self.n_refresh = 0

    def expire(self):
        self._table = None

    def forward(self):
        if self._table is None:
            self._table = self._propagate()  # <- culprit
            self.n_refresh += 1
        return self._table  # <- culprit

    def _propagate(self):
        h, out = self.base, self.base
        for _ in range(self.layers):
            h = self.adj @ h
            out = out + torch.sigmoid(self.gate) * h
        return out / (self.layers + 1)


class GraphRecommender(nn.Module):
    def __init__(self, adj, n_users, dim, layers):
        super().__init__()
        self.n_users = n_users
        self.encoder = PropagationEncoder(adj, dim, layers)

    def bpr(self, u, i, j):
        table = self.encoder()
        user, pos, neg = table[u], table[self.n_users + i], table[self.n_users + j]
        return F.softplus((user * neg).sum(1) - (user * pos).sum(1)).mean()

    def penalty(self, u, i, j):
        base = self.encoder.base
        return base[u].pow(2).mean() + base[self.n_users + i].pow(2).mean() + base[self.n_users + j].pow(2).mean()
