# gradwatch-corpus: kind=none
"""MoCo with a ring-buffer queue on synthetic sensor windows."""
import argparse
import copy
from collections import defaultdict, deque

import torch
from torch import nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, c=3, d=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(c, 16, 5, 2, 2), nn.ReLU(), nn.Conv1d(16, 24, 5, 2, 2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(24, d),
        )

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class MoCo:
    def __init__(self, size, m, tau):
        self.q = Tower()
        self.k = copy.deepcopy(self.q)
        self.bank = deque(maxlen=size)
        self.m, self.tau = m, tau
        self.last = {}

    @torch.no_grad()
    def momentum(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.mul_(self.m).add_(a, alpha=1 - self.m)

    def loss(self, x1, x2):
        q = self.q(x1)
        with torch.no_grad():
            k = self.k(x2)
        pos = (q * k).sum(-1, keepdim=True)
        logits = pos
        if self.bank:
            neg = q @ torch.cat(list(self.bank)).T
            logits = torch.cat([pos, neg], -1)
        loss = F.cross_entropy(logits / self.tau, torch.zeros(len(q), dtype=torch.long))
        self.last = {"loss": loss, "pos": pos.mean(), "q_std": q.std(0).mean()}
        self.bank.append(k)
        return loss


def windows(n, T=32):
    t = torch.arange(T) / T
    f = torch.randint(1, 7, (n, 3, 1)).float()
    return torch.sin(6.28 * f * t + 6.28 * torch.rand(n, 3, 1))


def aug(x):
    return x * (0.7 + 0.6 * torch.rand(len(x), 3, 1)) + 0.1 * torch.randn_like(x)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=420)
    ap.add_argument("--queue", type=int, default=30)
    a = ap.parse_args()
    torch.manual_seed(0)
    moco = MoCo(a.queue, 0.98, 0.2)
    opt = torch.optim.SGD(moco.q.parameters(), lr=0.05, momentum=0.9)
    history = defaultdict(list)
    for step in range(a.steps):
        x = windows(12)
        loss = moco.loss(aug(x), aug(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        moco.momentum()
        for k, v in moco.last.items():
            history[k].append(v.item())
        if step % 70 == 0:
            print(step, {k: round(sum(v[-20:]) / len(v[-20:]), 4) for k, v in history.items()})


if __name__ == "__main__":
    main()
