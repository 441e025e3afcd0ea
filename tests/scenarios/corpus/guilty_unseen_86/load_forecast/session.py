import math

import torch
from torch import nn

from carry import Carry
from sgd import HeavyBall


class LoadNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inp = nn.Linear(3, width)
        self.rec = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, 1)

    def forward(self, x, h):
        h = torch.tanh(self.inp(x) + self.rec(h))
        return self.out(h).squeeze(-1), h


class Session:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = LoadNet(cfg.hidden)
        self.carry = Carry(cfg.zones, cfg.hidden, cfg.short_until)
        self.opt = HeavyBall(self.net.parameters(), lr=cfg.lr)
        self.offset = torch.rand(cfg.zones) * 6
        self.losses = []

    def phase(self, t):
        return "short" if t < self.cfg.short_until else "long"

    def load_at(self, hour):
        day = torch.sin(2 * math.pi * (hour + self.offset) / 24)
        week = 0.3 * math.sin(2 * math.pi * hour / 168)
        return day + week + 0.05 * torch.randn(self.cfg.zones)

    def step(self, t):
        h = self.carry.get()  # <- culprit
        total = 0.0
        for k in range(self.cfg.piece):
            hour = t * self.cfg.piece + k
            now, nxt = self.load_at(hour), self.load_at(hour + 1)
            clock = torch.full_like(now, 2 * math.pi * hour / 24)
            pred, h = self.net(torch.stack([now, clock.sin(), clock.cos()], -1), h)
            total = total + (pred - nxt).pow(2).mean()
        self.opt.zero_grad()
        total.backward(retain_graph=True)
        self.opt.step()
        self.carry.put(h, t)  # <- culprit
        self.losses.append(total.item() / self.cfg.piece)
        return self.losses[-1]

    def tail(self, n):
        return sum(self.losses[-n:]) / n
