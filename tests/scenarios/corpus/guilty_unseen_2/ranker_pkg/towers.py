import torch
from torch import nn
from torch.nn import functional as F


class Tower(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, i):
        e = self.emb(i)
        return e + self.mlp(e)


class TwoTower(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.user, self.item = Tower(users, dim), Tower(items, dim)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1)


def bpr(p, n):
    return F.softplus(n - p).mean()


def reg(model, u, p, n):
    return sum(e.pow(2).sum(-1).mean() for e in (model.user.emb(u), model.item.emb(p), model.item.emb(n)))
