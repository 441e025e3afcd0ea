import copy

import torch
from torch import nn
import torch.nn.functional as F


class Twins(nn.Module):
    def __init__(self, m=0.98):
        super().__init__()
        self.query = nn.Sequential(nn.Linear(30, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 8))
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.m = m

    def forward(self, a, b):
        return F.normalize(self.query(a), dim=1), F.normalize(self.key(b), dim=1)

    @torch.no_grad()
    def follow(self):
        for p, kp in zip(self.query.parameters(), self.key.parameters()):
            kp.mul_(self.m).add_(p, alpha=1 - self.m)
