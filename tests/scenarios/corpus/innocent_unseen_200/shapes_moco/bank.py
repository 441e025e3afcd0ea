import collections
import copy

import torch
from torch import nn
import torch.nn.functional as F


class KeyQueue:
    def __init__(self, dim, batches, batch):
        start = F.normalize(torch.randn(batches, batch, dim), dim=-1)
        self.items = collections.deque(start.unbind(0), maxlen=batches)

    def keys(self):
        return torch.cat(tuple(self.items))

    def enqueue(self, k):
        self.items.append(k)

    def __len__(self):
        return sum(len(i) for i in self.items)


class Pair(nn.Module):
    def __init__(self, length, dim, m=0.98):
        super().__init__()
        self.m = m
        self.online = nn.Sequential(nn.Linear(length, 32), nn.ReLU(), nn.Linear(32, dim))
        self.slow = copy.deepcopy(self.online)

    def forward(self, a, b):
        q = F.normalize(self.online(a), dim=1)
        with torch.no_grad():
            k = F.normalize(self.slow(b), dim=1)
        return q, k

    @torch.no_grad()
    def momentum_update(self):
        for s, o in zip(self.slow.parameters(), self.online.parameters()):
            s.copy_(self.m * s + (1 - self.m) * o)
