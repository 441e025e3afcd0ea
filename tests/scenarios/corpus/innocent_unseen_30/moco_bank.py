# gradwatch-corpus: kind=none
"""Momentum contrast on synthetic spectra. The queue of keys is a ring addressed modulo its size."""
import copy

import torch
from torch import nn
import torch.nn.functional as F


class SpectraAug:
    def __init__(self, classes=12, bins=48, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.templates = torch.randn(classes, bins, generator=self.gen).cumsum(1) * 0.3

    def view(self, idx):
        x = self.templates[idx]
        gain = 0.8 + 0.4 * torch.rand(len(idx), 1, generator=self.gen)
        return gain * x + 0.2 * torch.randn(x.shape, generator=self.gen)

    def pair(self, n):
        idx = torch.randint(len(self.templates), (n,), generator=self.gen)
        return self.view(idx), self.view(idx)


class KeyQueue:
    def __init__(self, dim, size):
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.ptr = 0
        self.filled = 0

    def enqueue(self, k):
        size = self.keys.size(0)
        slots = torch.arange(self.ptr, self.ptr + len(k)) % size
        self.keys[slots] = k
        self.ptr = (self.ptr + len(k)) % size
        self.filled = min(size, self.filled + len(k))

    def negatives(self):
        return self.keys.clone()


class MoCo(nn.Module):
    def __init__(self, bins, dim=16, size=500, m=0.98, t=0.2):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(bins, 64), nn.ReLU(), nn.Linear(64, dim))
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.queue = KeyQueue(dim, size)
        self.m, self.t = m, t

    @torch.no_grad()
    def momentum_update(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    def forward(self, xq, xk):
        q = F.normalize(self.q(xq), dim=1)
        with torch.no_grad():
            self.momentum_update()
            k = F.normalize(self.k(xk), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.negatives().T
        logits = torch.cat([pos, neg], 1) / self.t
        self.queue.enqueue(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def train(steps=300, batch=24):
    torch.manual_seed(0)
    data = SpectraAug()
    model = MoCo(bins=48)
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for step in range(steps):
        loss = model(*data.pair(batch))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 75 == 74:
            print(f"{step + 1:4d} nce {loss.item():.3f} queue {model.queue.filled} ptr {model.queue.ptr}")


if __name__ == "__main__":
    train()
