# gradwatch-corpus: kind=none
"""Momentum contrast on augmented time series."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.c1 = nn.Conv1d(1, 12, 5, stride=2)
        self.c2 = nn.Conv1d(12, 24, 5, stride=2)
        self.proj = nn.Linear(24, dim)

    def forward(self, x):
        h = F.relu(self.c1(x))
        h = F.relu(self.c2(h)).mean(-1)
        return F.normalize(self.proj(h), dim=-1)


class MoCo(nn.Module):
    def __init__(self, size=512, dim=16, m=0.98, tau=0.1):
        super().__init__()
        self.q = Encoder(dim)
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad_(False)
        self.m = m
        self.tau = tau
        self.register_buffer("queue", F.normalize(torch.randn(size, dim), dim=-1))
        self.ptr = 0

    @torch.no_grad()
    def momentum_update(self):
        for pk, pq in zip(self.k.parameters(), self.q.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.size(0)
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % self.queue.size(0)

    def forward(self, a, b):
        q = self.q(a)
        self.momentum_update()
        k = self.k(b)
        pos = (q * k).sum(-1, keepdim=True)
        neg = q @ self.queue.clone().t()
        logits = torch.cat([pos, neg], dim=1) / self.tau
        target = torch.zeros(q.size(0), dtype=torch.long)
        self.enqueue(k)
        return F.cross_entropy(logits, target), q


def augment(x):
    scale = 0.8 + 0.4 * torch.rand(x.size(0), 1, 1)
    return x * scale + 0.05 * torch.randn_like(x)


def series(n, length=64):
    f = 0.5 + 3 * torch.rand(n, 1, 1)
    ph = 6.28 * torch.rand(n, 1, 1)
    return torch.sin(f * torch.linspace(0, 6.28, length) + ph)


def main():
    torch.manual_seed(23)
    model = MoCo()
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9)
    history = []
    last_query = None
    for step in range(120):
        x = series(32)
        loss, query = model(augment(x), augment(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.detach())
        drift = 0.0 if last_query is None else (query.detach() - last_query).norm()
        last_query = query.detach()
        if step % 30 == 29:
            print(step + 1, torch.stack(history[-30:]).mean().item(), float(drift))


main()
