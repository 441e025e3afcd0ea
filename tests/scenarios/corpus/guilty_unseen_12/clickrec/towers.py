"""Scorer."""
from torch import nn


class Tower(nn.Sequential):
    def __init__(self, count, width):
        super().__init__(nn.Embedding(count, width), nn.Linear(width, width), nn.ReLU(),
                         nn.Linear(width, width))


class TwoTower(nn.Module):
    def __init__(self, users, items, width):
        super().__init__()
        self.user = Tower(users, width)
        self.item = Tower(items, width)
        self.prior = nn.Embedding(items, 1)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return dot + self.prior(i).squeeze(-1)
