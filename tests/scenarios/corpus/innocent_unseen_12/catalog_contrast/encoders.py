import copy

import torch
import torch.nn.functional as F
from torch import nn


class MomentumPair:
    """Online encoder and the slower one that gives the keys."""

    def __init__(self, inputs, dim, momentum=0.98):
        self.online = nn.Sequential(nn.Linear(inputs, 48), nn.ReLU(), nn.Linear(48, dim))
        self.slow = copy.deepcopy(self.online).requires_grad_(False)
        self.momentum = momentum

    def query(self, x):
        return F.normalize(self.online(x), dim=-1)

    def key(self, x):
        return F.normalize(self.slow(x), dim=-1)

    def follow(self):
        for s, o in zip(self.slow.parameters(), self.online.parameters()):
            s.data = self.momentum * s.data + (1 - self.momentum) * o.data
