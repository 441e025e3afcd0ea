# gradwatch-corpus: kind=graph-held
# holder: self.bank | moco.bank | pretrainer.moco.bank | keys
# first-bad: 1
# notice: 8
"""Momentum contrast on bearing-vibration windows."""
import copy
from collections import deque
from dataclasses import dataclass
from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


@dataclass
class Hyper:
    seed: int = 12
    window: int = 64
    batch: int = 12
    dim: int = 16
    negatives: int = 96
    momentum: float = 0.98
    tau: float = 0.2
    steps: int = 450


class WindowEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.convs = nn.Sequential(
            nn.Conv1d(1, 8, 9, stride=4), nn.ReLU(),
            nn.Conv1d(8, 16, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.project = nn.Linear(16, dim)

    def forward(self, w):
        return F.normalize(self.project(self.convs(w.unsqueeze(1))), dim=1)


class MoCo(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.hp = hp
        self.query_net = WindowEncoder(hp.dim)
        self.key_net = copy.deepcopy(self.query_net)
        self.bank = deque()

    @torch.no_grad()
    def drift(self):
        m = self.hp.momentum
        for slow, quick in zip(self.key_net.parameters(), self.query_net.parameters()):
            slow.mul_(m).add_(quick, alpha=1 - m)

    def negatives(self):
        wanted = -(-self.hp.negatives // self.hp.batch)
        newest = list(islice(reversed(self.bank), wanted))
        return torch.cat(newest).detach() if newest else None

    def remember(self, keys):
        self.bank.append(keys)  # <- culprit

    def forward(self, a, b):
        q = self.query_net(a)
        self.drift()
        k = self.key_net(b)  # <- culprit
        logits = (q * k).sum(1, keepdim=True)
        neg = self.negatives()
        if neg is not None:
            logits = torch.cat([logits, q @ neg.t()], 1)
        self.remember(k)
        return F.cross_entropy(logits / self.hp.tau, torch.zeros(len(q), dtype=torch.long))


class Machine:
    """Random shaft speeds with occasional outer-race impacts."""

    def __init__(self, hp):
        self.hp = hp

    def views(self):
        n, L = self.hp.batch, self.hp.window
        t = torch.arange(L) / L
        speed = 2 + 10 * torch.rand(n, 1)
        base = torch.sin(2 * torch.pi * speed * t)
        impacts = (torch.rand(n, L) < 0.05).float() * 2
        return [base.roll(int(torch.randint(0, L, ())), 1) * (0.8 + 0.4 * torch.rand(n, 1)) + impacts
                + 0.1 * torch.randn(n, L) for _ in range(2)]


class Pretrainer:
    def __init__(self, hp):
        self.hp = hp
        self.moco = MoCo(hp)
        self.data = Machine(hp)
        self.opt = torch.optim.SGD(self.moco.query_net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)

    def run(self):
        for i in range(self.hp.steps):
            loss = self.moco(*self.data.views())
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if i % 100 == 0:
                print(i, loss.item())


if __name__ == "__main__":
    hp = Hyper()
    torch.manual_seed(hp.seed)
    pretrainer = Pretrainer(hp)
    pretrainer.run()
