import copy
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class GaitNet(nn.Module):
    def __init__(self, channels, dim):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(channels, 12, 7, stride=2), nn.ReLU(), nn.Conv1d(12, 12, 5, stride=2), nn.ReLU())
        self.proj = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, dim))

    def features(self, x):
        return self.conv(x).mean(-1)

    def forward(self, x):
        return F.normalize(self.proj(self.features(x)), dim=1)


class Contrast(nn.Module):
    def __init__(self, channels, dim, ring, momentum=0.97, tau=0.2):
        super().__init__()
        self.query = GaitNet(channels, dim)
        self.slow = copy.deepcopy(self.query).requires_grad_(False)
        self.register_buffer("ring", F.normalize(torch.randn(ring, dim), dim=1))
        self.ptr, self.m, self.tau = 0, momentum, tau
        self.stale = deque(maxlen=4)

    @torch.no_grad()
    def embed_keys(self, x):
        for s, q in zip(self.slow.parameters(), self.query.parameters()):
            s.data = s.data * self.m + q.data * (1 - self.m)
        return self.slow(x)

    @torch.no_grad()
    def enqueue(self, k):
        where = (self.ptr + torch.arange(len(k))) % len(self.ring)
        self.ring[where] = k
        self.ptr = int((where[-1] + 1) % len(self.ring))

    def forward(self, a, b):
        q, k = self.query(a), self.embed_keys(b)
        neg = self.ring.clone().detach()
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ neg.t()], 1) / self.tau
        self.enqueue(k)
        self.stale.append(q)
        acc = (logits.argmax(1) == 0).float().mean().item()
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)), acc
