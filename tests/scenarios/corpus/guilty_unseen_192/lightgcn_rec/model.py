from functools import cached_property

import torch
from torch import nn


class LightGCN(nn.Module):
    def __init__(self, inter, dim, layers):
        super().__init__()
        self.n_users, self.n_items = inter.shape
        self.layers = layers
        self.user = nn.Embedding(self.n_users, dim)
        self.item = nn.Embedding(self.n_items, dim)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        self.register_buffer("inter", inter)

    @cached_property
    def norm_adj(self):
        n = self.n_users + self.n_items
        adj = torch.zeros(n, n)
        adj[: self.n_users, self.n_users:] = self.inter
        adj = adj + adj.T
        d = adj.sum(1).clamp(min=1).rsqrt()
        return d[:, None] * adj * d[None]

    @cached_property  # <- culprit
    def propagated(self):  # <- culprit
        x = torch.cat([self.user.weight, self.item.weight])
        out = [x]
        for _ in range(self.layers):
            x = self.norm_adj @ x
            out.append(x)
        return torch.stack(out).mean(0).split([self.n_users, self.n_items])

    def score_pairs(self, users, pos, neg):
        u, i = self.propagated
        return (u[users] * i[pos]).sum(-1), (u[users] * i[neg]).sum(-1)

    def l2(self, users, pos, neg):
        rows = self.user(users), self.item(pos), self.item(neg)
        return sum(r.pow(2).sum() for r in rows) / len(users)
