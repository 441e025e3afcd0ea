import copy

import torch
from torch import nn
import torch.nn.functional as F


def make_pool(n, d, k=6):
    mu = 2 * torch.randn(k, d)
    y = torch.arange(n) % k
    return mu[y] + torch.randn(n, d), y


def augment(x):
    keep = (torch.rand_like(x) > 0.15).float()
    return keep * x + 0.2 * torch.randn_like(x)


class MoCo(nn.Module):
    def __init__(self, d, e, queue, m, tau):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(d, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, e))
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.m, self.tau = m, tau
        self.register_buffer("queue", F.normalize(torch.randn(queue, e), dim=1))
        self.ptr = 0
        self._pending = None

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            k = F.normalize(self.k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().T
        self._pending = k
        logits = torch.cat([pos, neg], 1) / self.tau
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))

    @torch.no_grad()
    def advance(self):
        for pk, pq in zip(self.k.parameters(), self.q.parameters()):
            pk.lerp_(pq, 1 - self.m)
        n = len(self._pending)
        self.queue[self.ptr:self.ptr + n] = self._pending
        self.ptr = (self.ptr + n) % len(self.queue)
        self._pending = None
