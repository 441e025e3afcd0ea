# gradwatch-corpus: kind=none
from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(64)


class BeatEncoder(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, 6, 5, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 14, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class KeyQueue:
    def __init__(self, size: int, dim: int) -> None:
        self.data = F.normalize(torch.randn(size, dim), dim=1)
        self.at = 0

    def negatives(self) -> torch.Tensor:
        return self.data.clone()

    @torch.no_grad()
    def enqueue(self, keys: torch.Tensor) -> None:
        n = len(keys)
        self.data[self.at:self.at + n] = keys
        self.at = (self.at + n) % len(self.data)


@dataclass
class Augment:
    jitter: float = 0.05
    shift: int = 3

    def __call__(self, x):
        k = int(torch.randint(-self.shift, self.shift + 1, ()))
        return x.roll(k, -1) * (0.9 + 0.2 * torch.rand(len(x), 1, 1)) + self.jitter * torch.randn_like(x)


class Momentum:
    def __init__(self, online: nn.Module, m: float = 0.98) -> None:
        self.online, self.m = online, m
        self.shadow = copy.deepcopy(online).requires_grad_(False)

    @torch.no_grad()
    def follow(self) -> None:
        for s, o in zip(self.shadow.parameters(), self.online.parameters()):
            s.mul_(self.m).add_(o, alpha=1 - self.m)


class Contrast:
    def __init__(self) -> None:
        self.q = BeatEncoder()
        self.pair = Momentum(self.q)
        self.queue = KeyQueue(64, 8)
        self.aug = Augment()
        self.opt = torch.optim.SGD(self.q.parameters(), lr=0.05, momentum=0.9)

    def _nce(self, beats):
        q = self.q(self.aug(beats))
        k = self.pair.shadow(self.aug(beats))
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.negatives().T
        self.queue.enqueue(k)
        return F.cross_entropy(torch.cat([pos, neg], 1) / 0.2, torch.zeros(len(q), dtype=torch.long))

    def step(self, beats):
        nce = self._nce(beats)
        self.opt.zero_grad()
        nce.backward()
        self.opt.step()
        self.pair.follow()
        return nce.item()


contrast = Contrast()
t = torch.linspace(0, 6.28, 32)
for i in range(650):
    f = 1 + 3 * torch.rand(8, 1, 1)
    v = contrast.step(torch.sin(f * t))
    if i % 130 == 0:
        print(i, round(v, 4))
