# gradwatch-corpus: kind=none
"""Runoff model on a never-ending gauge record: every day a backward through the last few days (k1=1, k2=6)."""
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class GaugeConfig:
    seed: int = 52
    hidden: int = 10
    reach: int = 6
    days: int = 900
    refresh: int = 1
    lr: float = 0.02


@dataclass
class Day:
    before: torch.Tensor
    after: torch.Tensor


class River:
    def __init__(self):
        self.store = torch.zeros(3)
        self.leak = torch.tensor([0.5, 0.2, 0.05])

    def next(self):
        rain = torch.relu(torch.randn(())) * (torch.rand(()) < 0.4)
        self.store = self.store * (1 - self.leak) + rain / 3
        return torch.stack([rain, torch.rand(())]), (self.store * self.leak).sum()


class Bucket(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.inp = nn.Linear(2, hidden)
        self.rec = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, h):
        h = torch.tanh(self.inp(x) + self.rec(h))
        return self.out(h).squeeze(), h


class WindowedBPTT:
    """Cuts every state from its predecessor and walks back by hand over a ring of cuts."""

    def __init__(self, net, reach, opt):
        self.net, self.opt = net, opt
        self.ring = deque(maxlen=reach)
        self.last = torch.zeros(net.rec.in_features)

    def day(self, x, target):
        before = self.last.detach().requires_grad_(True)
        y, after = self.net(x, before)
        self.ring.append(Day(before, after))
        self.last = after
        loss = (y - target).pow(2)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        for newer, older in zip(list(self.ring)[::-1], list(self.ring)[-2::-1]):
            if newer.before.grad is None:
                break
            older.after.backward(newer.before.grad, retain_graph=True)
            newer.before.grad = None
        self.ring[0].before.grad = None
        self.net_step()
        return loss.item()

    def net_step(self):
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        with torch.no_grad():
            for p in self.net.parameters():
                p.data -= self.opt.param_groups[0]["lr"] * p.grad
        return norm


def main(cfg=GaugeConfig()):
    torch.manual_seed(cfg.seed)
    net, river = Bucket(cfg.hidden), River()
    loop = WindowedBPTT(net, cfg.reach, torch.optim.SGD(net.parameters(), lr=cfg.lr))
    errs = []
    x, q = river.next()
    for _ in range(cfg.days):
        nx, nq = river.next()
        errs.append(loop.day(x, nq))
        x, q = nx, nq
    print(sum(errs[:100]) / 100, sum(errs[-100:]) / 100)


if __name__ == "__main__":
    main()
