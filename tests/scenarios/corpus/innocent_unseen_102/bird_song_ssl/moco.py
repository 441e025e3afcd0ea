import copy

import torch
from torch import nn
import torch.nn.functional as F


class Moco:
    def __init__(self, dim, out, queue, m=0.98, temp=0.2):
        self.query = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, out))
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.queue = F.normalize(torch.randn(queue, out), dim=1)
        self.ptr, self.m, self.temp = 0, m, temp

    def loss(self, a, b):
        q = F.normalize(self.query(a), dim=1)
        k = F.normalize(self.key(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.t()
        logits = torch.cat([pos, neg], dim=1) / self.temp
        out = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self._enqueue(k)
        return out, q

    def _enqueue(self, k):
        fresh = self.queue.clone()  # the old one is still needed by backward
        fresh[self.ptr:self.ptr + len(k)] = k
        self.queue = fresh
        self.ptr = (self.ptr + len(k)) % len(fresh)

    @torch.no_grad()
    def follow(self):
        for pk, pq in zip(self.key.parameters(), self.query.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)
