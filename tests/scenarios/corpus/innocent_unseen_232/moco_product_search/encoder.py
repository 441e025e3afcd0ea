import copy

import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, n_in, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class MomentumPair(nn.Module):
    def __init__(self, n_in, dim, momentum):
        super().__init__()
        self.query = Encoder(n_in, dim)
        self.key = copy.deepcopy(self.query)
        self.key.requires_grad_(False)
        self.momentum = momentum

    @torch.no_grad()
    def follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.mul_(self.momentum).add_(q, alpha=1 - self.momentum)

    def keys(self, x):
        with torch.no_grad():
            return self.key(x)
