# gradwatch-corpus: kind=none
"""MoCo on synthetic manifolds: key encoder by momentum, FIFO queue of keys as negatives."""
import copy

import torch
import torch.nn.functional as F
from torch import nn


class KeyQueue(nn.Module):
    def __init__(self, dim, size):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0

    def push(self, k):
        n = len(k)
        self.keys[self.ptr:self.ptr + n] = k
        self.ptr = (self.ptr + n) % len(self.keys)

    def negatives(self):
        return self.keys.clone()


class MoCo(nn.Module):
    def __init__(self, d_in=32, dim=24, size=1024, m=0.99, T=0.15):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(d_in, 96), nn.ReLU(), nn.Linear(96, dim))
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad = False
        self.queue = KeyQueue(dim, size)
        self.m, self.T = m, T

    def _momentum(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.data = pk.data * self.m + pq.data * (1 - self.m)

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        self._momentum()
        k = F.normalize(self.k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.negatives().T
        logits = torch.cat([pos, neg], 1) / self.T
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.queue.push(k)
        return loss, logits


def views(n, basis):
    z = torch.randn(n, basis.shape[0])
    x = torch.tanh(z @ basis)
    return x + 0.2 * torch.randn_like(x), x + 0.2 * torch.randn_like(x)


def main():
    torch.manual_seed(31)
    basis = torch.randn(6, 32)
    model = MoCo()
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9)
    top1 = []
    for it in range(150):
        loss, logits = model(*views(64, basis))
        opt.zero_grad()
        loss.backward()
        opt.step()
        top1.append((logits.argmax(1) == 0).float().mean())
        if it % 30 == 29:
            print(it, f"{loss.item():.3f} top1 {torch.stack(top1).mean():.3f}")
            top1.clear()


if __name__ == "__main__":
    main()
