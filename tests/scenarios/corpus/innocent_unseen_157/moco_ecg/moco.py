import copy

import torch
from torch import nn
import torch.nn.functional as F


class BeatEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 8, 7, stride=2), nn.BatchNorm1d(8), nn.ReLU(),
                                  nn.Conv1d(8, 16, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(2))
        self.fc = nn.Linear(32, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.conv(x).flatten(1)), dim=1)


class MoCo(nn.Module):
    def __init__(self, dim, slots, momentum=0.95, temperature=0.1):
        super().__init__()
        self.query = BeatEncoder(dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.momentum, self.temperature, self.slots = momentum, temperature, slots
        self.queue = [F.normalize(torch.randn(16, dim), dim=1)]

    @torch.no_grad()
    def follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.mul_(self.momentum).add_(q, alpha=1 - self.momentum)

    def forward(self, first, second):
        q = self.query(first)
        self.follow()
        with torch.no_grad():
            k = self.key(second)
        negatives = torch.cat(self.queue)
        positive = (q * k).sum(1, keepdim=True)
        return torch.cat([positive, q @ negatives.t()], dim=1) / self.temperature, k

    def enqueue(self, keys):
        self.queue.append(keys)
        while sum(len(k) for k in self.queue) > self.slots:
            self.queue.pop(0)
