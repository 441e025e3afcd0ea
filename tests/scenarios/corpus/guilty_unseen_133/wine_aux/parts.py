from typing import NamedTuple

import torch
from torch import nn


class Sample(NamedTuple):
    chem: torch.Tensor
    score: torch.Tensor
    acid: torch.Tensor


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 20), nn.Mish(), nn.Linear(20, 10), nn.Tanh())
        self.score = nn.Linear(10, 1)

    def forward(self, chem):
        feats = self.trunk(chem)
        return feats, self.score(feats).squeeze(-1)


def tastings(n):
    a, b = torch.randn(8), torch.randn(8)
    for _ in range(n):
        chem = torch.randn(18, 8)
        yield Sample(chem, torch.tanh(chem @ a), torch.sigmoid(chem @ b))
