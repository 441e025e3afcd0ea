import torch
from torch import nn


class Member(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inp = nn.Linear(4, width)
        self.mid = nn.Linear(width, width)
        self.quantiles = nn.Linear(width, 3)

    def forward(self, weather):
        h = nn.functional.silu(self.inp(weather))
        h = nn.functional.silu(self.mid(h))
        low, up, upper = self.quantiles(h).unbind(dim=1)
        middle = low + nn.functional.softplus(up)
        high = middle + nn.functional.softplus(upper)
        return torch.stack([low, middle, high], dim=1)


class RatingEnsemble(nn.Module):
    def __init__(self, n_members, width=40):
        super().__init__()
        self.members = nn.ModuleList(Member(width) for _ in range(n_members))

    def forward(self, weather):
        return torch.stack([m(weather) for m in self.members])
