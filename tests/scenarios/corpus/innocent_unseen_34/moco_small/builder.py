import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 12, 7, stride=2, padding=3), nn.ReLU(inplace=True),
            nn.Conv1d(12, 24, 5, stride=2, padding=2), nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(96, dim),
        )

    def forward(self, x):
        return F.normalize(self.net(x.unsqueeze(1)), dim=1)


class MomentumContrast(nn.Module):
    def __init__(self, dim, queue_batches, m=0.98, temperature=0.15):
        super().__init__()
        self.query = Encoder(dim)
        self.key = copy.deepcopy(self.query)
        self.m = m
        self.temperature = temperature
        self.queue = deque(maxlen=queue_batches)
        self.last_keys = None

    def forward(self, v1, v2):
        q = self.query(v1)
        with torch.no_grad():
            k = self.key(v2)
        pos = (q * k).sum(1, keepdim=True)
        if self.queue:
            neg = q @ torch.cat(tuple(self.queue)).t()
        else:
            neg = q @ k.roll(1, 0).t()
        self.last_keys = k
        return torch.cat([pos, neg], 1), torch.zeros(len(q), dtype=torch.long)

    @torch.no_grad()
    def after_step(self):
        for pk, pq in zip(self.key.parameters(), self.query.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)
        self.queue.append(self.last_keys)
