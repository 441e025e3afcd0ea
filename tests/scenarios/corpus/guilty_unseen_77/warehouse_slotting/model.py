import torch
from torch import nn


class PickTimeNet(nn.Module):
    def __init__(self, n_sku, n_aisle, dim=8):
        super().__init__()
        self.sku = nn.Embedding(n_sku, dim)
        self.aisle = nn.Embedding(n_aisle, dim)
        self.body = nn.Sequential(nn.Linear(2 * dim + 3, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, sku, aisle, extra):
        z = torch.cat([self.sku(sku), self.aisle(aisle), extra], dim=1)
        return self.body(z).squeeze(1)

    def tables(self):
        return {"sku": self.sku.weight, "aisle": self.aisle.weight}


class TableAnchor:
    """Pulls embedding tables towards their slow-moving average.

    Rare SKUs get few updates; without this their rows jump whenever they appear.
    """

    def __init__(self, tables, strength=0.05, rate=0.1):
        self.tables = tables
        self.strength = strength
        self.rate = rate
        self.ref = {name: w.detach().clone() for name, w in tables.items()}

    def penalty(self):
        total = 0.0
        for name, w in self.tables.items():
            total = total + (w - self.ref[name]).pow(2).sum(1).mean()
        return self.strength * total

    def advance(self):
        for name, w in self.tables.items():
            old = self.ref[name]
            self.ref[name] = torch.lerp(old, w, self.rate)  # <- culprit
