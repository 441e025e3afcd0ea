import copy

import torch
from torch import nn
import torch.nn.functional as F


class MomentumPair:
    def __init__(self, bins, dim):
        self.query = nn.Sequential(nn.Linear(bins, 64), nn.ReLU(), nn.Linear(64, dim))
        self.key = copy.deepcopy(self.query)
        self.key.requires_grad_(False)

    def encode_query(self, x):
        return F.normalize(self.query(x), dim=1)

    def encode_key(self, x):
        return F.normalize(self.key(x), dim=1)

    @torch.no_grad()
    def drift(self, m):
        for kp, qp in zip(self.key.parameters(), self.query.parameters()):
            kp.mul_(m).add_(qp, alpha=1 - m)
