import copy

import torch
import torch.nn.functional as F
from torch import nn


class MomentumPair(nn.Module):
    def __init__(self, bins, dim, queue_size, momentum):
        super().__init__()
        self.online = nn.Sequential(
            nn.Conv1d(1, 8, 7, stride=2), nn.ReLU(), nn.Conv1d(8, 16, 5, stride=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(64, dim),
        )
        self.slow = copy.deepcopy(self.online).requires_grad_(False)
        self.m = momentum
        self.register_buffer("queue", F.normalize(torch.randn(dim, queue_size), dim=0))
        self.register_buffer("pointer", torch.zeros((), dtype=torch.long))

    def query(self, x):
        return F.normalize(self.online(x), dim=1)

    @torch.no_grad()
    def key(self, x):
        return F.normalize(self.slow(x), dim=1)

    @torch.no_grad()
    def follow(self):
        for s, o in zip(self.slow.parameters(), self.online.parameters()):
            s.mul_(self.m).add_(o, alpha=1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        start, n = int(self.pointer), len(keys)
        self.queue[:, start : start + n] = keys.T
        self.pointer.fill_((start + n) % self.queue.size(1))
