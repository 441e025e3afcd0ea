import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class KeyQueue:
    """Batches of keys, oldest out first."""

    def __init__(self, dim, size):
        self.size = size
        self.blocks = [F.normalize(torch.randn(size, dim), dim=1)]

    def all(self):
        return torch.cat(self.blocks)[-self.size:]

    def push(self, keys):
        self.blocks = [torch.cat([*self.blocks, keys.detach()])[-self.size:]]


class MoCo(nn.Module):
    def __init__(self, encoder, dim, size=128, m=0.97, T=0.2):
        super().__init__()
        self.q = encoder
        self.k = copy.deepcopy(encoder)
        self.m, self.T = m, T
        self.queue = KeyQueue(dim, size)
        self.seen = {}
        self.q[0].register_forward_hook(lambda mod, inp, out: self.seen.__setitem__("first", out))

    @torch.no_grad()
    def momentum(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.mul_(self.m).add_(a, alpha=1 - self.m)

    def forward(self, xq, xk):
        q = F.normalize(self.q(xq), dim=1)
        with torch.no_grad():
            self.momentum()
            k = F.normalize(self.k(xk), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.all().t()], 1) / self.T
        self.queue.push(k)
        sparsity = self.seen["first"].abs().mean()
        target = torch.zeros(len(q), dtype=torch.long)
        return F.cross_entropy(logits, target) + 1e-3 * sparsity, (logits.argmax(1) == 0).float().mean()
