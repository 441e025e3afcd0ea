from functools import cached_property

import torch
from torch import nn


class ItemSide(nn.Module):
    def __init__(self, n, d, hops=2):
        super().__init__()
        self.hops = hops
        self.emb = nn.Embedding(n, d)
        self.proj = nn.Linear(d, d)
        a = (torch.rand(n, n) < 0.1).float()
        a = a + a.T + torch.eye(n)
        self.register_buffer("adj", a / a.sum(1, keepdim=True))

    @cached_property  # <- culprit
    def table(self):
        h = self.emb.weight
        for _ in range(self.hops):
            h = self.adj @ h
        return torch.tanh(self.proj(h))  # <- culprit

    def forget(self):
        self.__dict__.pop("table", None)


class Recommender(nn.Module):
    def __init__(self, users, items, d=16):
        super().__init__()
        self.users = nn.Embedding(users, d)
        self.items = ItemSide(items, d)

    def forward(self, u, i):
        return (self.users(u) * self.items.table[i]).sum(-1)
