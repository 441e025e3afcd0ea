import copy

import torch
import torch.nn.functional as F
from torch import nn


def encoder(dim):
    return nn.Sequential(
        nn.Conv1d(1, 12, 5, stride=2), nn.ReLU(),
        nn.Conv1d(12, 24, 5, stride=2), nn.ReLU(),
        nn.AdaptiveAvgPool1d(2), nn.Flatten(), nn.Linear(48, dim),
    )


class MoCo(nn.Module):
    def __init__(self, dim, queue, momentum=0.98, temperature=0.15):
        super().__init__()
        self.query = encoder(dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.momentum, self.temperature = momentum, temperature
        self.register_buffer("queue", F.normalize(torch.randn(queue, dim), dim=1))
        self.ptr = 0

    def _momentum_update(self):
        for q, k in zip(self.query.parameters(), self.key.parameters()):
            k.copy_(self.momentum * k + (1 - self.momentum) * q.detach())

    def _enqueue(self, keys):
        n = len(keys)
        self.queue = self.queue.clone()
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % len(self.queue)

    def forward(self, xq, xk):
        self._momentum_update()
        q = F.normalize(self.query(xq), dim=1)
        k = F.normalize(self.key(xk), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.T
        logits = torch.cat([pos, neg], 1) / self.temperature
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self._enqueue(k)
        return loss, logits
