import copy

import torch
import torch.nn.functional as F
from torch import nn


class MomentumPair:
    def __init__(self, dim_in, dim_out, m):
        self.query = nn.Sequential(nn.Linear(dim_in, 32), nn.ReLU(), nn.Linear(32, dim_out))
        self.key = copy.deepcopy(self.query)
        for p in self.key.parameters():
            p.requires_grad_(False)
        self.m = m

    def encode_query(self, x):
        return F.normalize(self.query(x), dim=1)

    def encode_key(self, x):
        return F.normalize(self.key(x), dim=1)

    @torch.no_grad()
    def follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.mul_(self.m).add_(q, alpha=1 - self.m)
