import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class KeyQueue:
    def __init__(self, max_batches):
        self.max_batches = max_batches
        self.batches = []

    def push(self, k):
        self.batches.append(k)
        if len(self.batches) > self.max_batches:
            self.batches.pop(0)

    def negatives(self):
        return torch.cat(self.batches)


class MoCo(nn.Module):
    def __init__(self, encoder, momentum=0.98, temperature=0.2, max_batches=40):
        super().__init__()
        self.q, self.k = encoder, copy.deepcopy(encoder)
        self.m, self.t = momentum, temperature
        self.queue = KeyQueue(max_batches)
        self.similarity = []

    @torch.no_grad()
    def _keys(self, x):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.copy_(self.m * pk + (1 - self.m) * pq)
        return F.normalize(self.k(x), dim=1)

    def forward(self, xq, xk):
        q = F.normalize(self.q(xq), dim=1)
        k = self._keys(xk)
        pos = (q * k).sum(1, keepdim=True)
        logits = pos
        if self.queue.batches:
            logits = torch.cat([pos, q @ self.queue.negatives().t()], 1)
        self.queue.push(k)
        self.similarity.append(pos.detach().mean())
        target = torch.zeros(len(q), dtype=torch.long)
        return F.cross_entropy(logits / self.t, target)
