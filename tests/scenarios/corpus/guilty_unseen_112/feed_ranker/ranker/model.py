import torch
from torch import nn


class TwoSide(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.slot = nn.Embedding(5, 1)
        self.mlp = nn.Sequential(nn.Linear(2 * dim, 16), nn.ReLU(), nn.Linear(16, 1))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.2)
        nn.init.zeros_(self.slot.weight)

    def forward(self, users, items, slot):
        u, i = self.user(users), self.item(items)
        deep = self.mlp(torch.cat([u, i], dim=1))
        return ((u * i).sum(1, keepdim=True) + deep + self.slot(slot)).squeeze(1)
