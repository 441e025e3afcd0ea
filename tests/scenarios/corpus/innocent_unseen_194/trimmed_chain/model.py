import torch
from torch import nn


class SetRegressor(nn.Module):
    """Deep sets: bees seen at a hive in a minute to its weight change."""

    def __init__(self, features=5, hidden=32):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(features, hidden), nn.GELU(), nn.Linear(hidden, hidden))
        self.rho = nn.Sequential(nn.GELU(), nn.Linear(hidden, 1))

    def forward(self, bees, present):
        pooled = (self.phi(bees) * present.unsqueeze(-1)).sum(1)
        pooled = pooled / present.sum(1, keepdim=True).clamp(min=1)
        return self.rho(pooled).squeeze(-1), pooled


def minute(hives=24, most=12):
    bees = torch.randn(hives, most, 5)
    count = torch.randint(1, most + 1, (hives, 1))
    present = (torch.arange(most) < count).float()
    weight = (torch.tanh(bees[..., 0]) * bees[..., 1].abs() * present).sum(1) / count.squeeze(1)
    return bees, present, weight
