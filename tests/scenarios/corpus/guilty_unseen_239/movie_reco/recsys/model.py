import torch
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.user_mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, u, pos, neg):
        query = self.user_mlp(self.user(u))
        return (query * self.item(pos)).sum(-1), (query * self.item(neg)).sum(-1)

    def l2(self, u, pos):
        return self.user(u).pow(2).mean() + self.item(pos).pow(2).mean()
