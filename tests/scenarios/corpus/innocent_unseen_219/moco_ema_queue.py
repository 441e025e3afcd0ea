# gradwatch-corpus: kind=none
# Momentum-contrast pretraining of a small 1-D encoder with an EMA key network and a ring of negatives.
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(51)


class Encoder1d(nn.Module):
    def __init__(self, out=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 12, 7, stride=2, padding=3), nn.BatchNorm1d(12), nn.ReLU(),
            nn.Conv1d(12, 24, 5, stride=2, padding=2), nn.BatchNorm1d(24), nn.ReLU(),
        )
        self.proj = nn.Linear(24, out)

    def forward(self, x):
        return F.normalize(self.proj(self.conv(x).mean(-1)), dim=-1)


class MoCo(nn.Module):
    def __init__(self, dim=32, size=512, m=0.98, tau=0.15):
        super().__init__()
        self.q = Encoder1d(dim)
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad_(False)
        self.m, self.tau, self.size = m, tau, size
        self.register_buffer("ring", F.normalize(torch.randn(size, dim), dim=-1))
        self.ptr = 0

    @torch.no_grad()
    def momentum(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.mul_(self.m).add_(a, alpha=1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        idx = (self.ptr + torch.arange(len(keys))) % self.size
        self.ring[idx] = keys
        self.ptr = int((self.ptr + len(keys)) % self.size)

    def forward(self, a, b):
        q = self.q(a)
        with torch.no_grad():
            self.momentum()
            k = self.k(b)
        pos = (q * k).sum(-1, keepdim=True)
        neg = q @ self.ring.clone().t()
        logits = torch.cat([pos, neg], 1) / self.tau
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.enqueue(k)
        return loss, q


def view(x):
    shift = int(torch.randint(0, 16, ()))
    return x.roll(shift, -1) * (0.8 + 0.4 * torch.rand(len(x), 1, 1)) + 0.1 * torch.randn_like(x)


def signals(n):
    f = torch.randint(1, 9, (n, 1, 1)).float()
    t = torch.linspace(0, 6.28, 64).view(1, 1, -1)
    return torch.sin(f * t) + 0.5 * torch.cos(2 * f * t)


model = MoCo()
opt = torch.optim.SGD(model.q.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
recent = deque(maxlen=20)
spread = deque(maxlen=5)
rows = []
for step in range(120):
    x = signals(48)
    loss, emb = model(view(x), view(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
    recent.append(loss.detach())
    spread.append(emb.detach().std(0).mean())
    if step % 30 == 0:
        rows.append({"step": step, "loss": torch.stack(list(recent)).mean().item(), "spread": float(sum(spread) / len(spread))})
        print(rows[-1])
