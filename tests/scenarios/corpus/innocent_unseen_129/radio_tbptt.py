# gradwatch-corpus: kind=none
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(33)


class Memory(NamedTuple):
    h: torch.Tensor
    c: torch.Tensor
    age: int

    def cut(self):
        return Memory(self.h.detach(), self.c.detach(), 0)


class Tuner(nn.Module):
    def __init__(self, width=14):
        super().__init__()
        self.cell = nn.LSTMCell(2, width)
        self.out = nn.Linear(width, 2)
        self.width = width

    def open(self, lanes):
        z = torch.zeros(lanes, self.width)
        return Memory(z, z, 0)

    def forward(self, iq, m):
        h, c = self.cell(iq, (m.h, m.c))
        return self.out(h), Memory(h, c, m.age + 1)


class Carrier:
    def __init__(self, lanes):
        self.phase, self.rate = torch.rand(lanes) * 6, 0.2 + 0.1 * torch.rand(lanes)

    def __iter__(self):
        while True:
            self.phase = self.phase + self.rate
            yield torch.stack([self.phase.cos(), self.phase.sin()], 1)


class Receiver:
    """Collects the misses of a window; every `span` symbols walks back and cuts."""

    def __init__(self, span):
        self.span = span
        self.net = Tuner()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.memory = self.net.open(4)
        self.misses = []
        self.last = None

    def symbol(self, now, nxt):
        guess, self.memory = self.net(now + 0.05 * torch.randn_like(now), self.memory)
        self.misses.append((guess - nxt).square().mean())
        if self.memory.age == self.span:
            self.walk()

    def walk(self):
        loss = torch.stack(self.misses).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.last = loss.item()
        self.misses.clear()
        self.memory = self.memory.cut()


rx = Receiver(span=12)
prev = None
for k, iq in enumerate(Carrier(4)):
    if prev is not None:
        rx.symbol(prev, iq)
    prev = iq
    if k == 12 * 450:
        break
print(rx.last)
