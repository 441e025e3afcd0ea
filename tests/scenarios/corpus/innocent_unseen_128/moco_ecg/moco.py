import copy

import torch
from torch import nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, dim, size, m, temp):
        super().__init__()
        self.q = nn.Sequential(nn.Conv1d(1, 8, 7, stride=2), nn.ReLU(), nn.Conv1d(8, 16, 5, stride=2), nn.ReLU(),
                               nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(16, dim))
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.m, self.temp = m, temp
        self.register_buffer("queue", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def keys(self, x):
        for pk, pq in zip(self.k.parameters(), self.q.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)
        return F.normalize(self.k(x), dim=1)

    def forward(self, a, b):
        q, k = F.normalize(self.q(a), dim=1), self.keys(b)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.clone().t()], 1) / self.temp
        self.queue[self.ptr:self.ptr + len(k)] = k
        self.ptr = (self.ptr + len(k)) % len(self.queue)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
