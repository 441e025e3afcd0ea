import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, encoder, dim=32, queue=512, momentum=0.98, temperature=0.15):
        super().__init__()
        self.q = encoder
        self.k = copy.deepcopy(encoder)
        for p in self.k.parameters():
            p.requires_grad = False
        self.m, self.t = momentum, temperature
        self.register_buffer("queue", F.normalize(torch.randn(queue, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def momentum_update(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.copy_(pk * self.m + pq * (1 - self.m))

    @torch.no_grad()
    def enqueue(self, keys):
        n = len(keys)
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % len(self.queue)

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            self.momentum_update()
            k = F.normalize(self.k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().t()
        logits = torch.cat([pos, neg], 1) / self.t
        self.enqueue(k)
        return logits, torch.zeros(len(q), dtype=torch.long)
