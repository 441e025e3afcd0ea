"""Encoder and decoder of the link predictor."""
from functools import lru_cache

import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, x, adj):
        return adj @ self.lin(x)


class LinkModel(nn.Module):
    def __init__(self, d_in, d_hidden, d_out):
        super().__init__()
        self.conv1 = GraphConv(d_in, d_hidden)
        self.conv2 = GraphConv(d_hidden, d_out)
        self.scale = nn.Parameter(torch.tensor(4.0))
        self.shift = nn.Parameter(torch.tensor(-2.0))

    def encode(self, x, adj):
        h = F.dropout(torch.relu(self.conv1(x, adj)), 0.2, self.training)
        return self.conv2(h, adj)

    @lru_cache(maxsize=None)  # <- culprit
    def unit(self, z):
        """Unit-length embeddings; needed by both edge sets and by the metrics."""
        return F.normalize(z, dim=-1)

    def score(self, z, edges):
        u = self.unit(z)  # <- culprit
        return self.scale * (u[edges[0]] * u[edges[1]]).sum(-1) + self.shift

    def loss(self, z, pos, neg):
        sp, sn = self.score(z, pos), self.score(z, neg)
        return F.softplus(-sp).mean() + F.softplus(sn).mean()

    def accuracy(self, z, pos, neg):
        with torch.no_grad():
            hit = (self.score(z, pos) > 0).float().mean() + (self.score(z, neg) <= 0).float().mean()
        return hit.item() / 2
