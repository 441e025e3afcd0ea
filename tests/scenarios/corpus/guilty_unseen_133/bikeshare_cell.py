# gradwatch-corpus: kind=graph-chain
# holder: carry.c | self.carry.c | Carry.c | model.carry.c | carry
# first-bad: 1
# notice: 5
import math
from dataclasses import dataclass, replace
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

torch.set_num_threads(1)
torch.manual_seed(1234)


@dataclass
class Carry:
    h: Tensor
    c: Tensor

    @staticmethod
    def blank(batch, width):
        return Carry(torch.zeros(batch, width), torch.zeros(batch, width))

    def freeze(self):
        return replace(self, h=self.h.detach())  # <- culprit


class DockCell(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4 * width, inputs + width) / math.sqrt(inputs + width))
        self.b = nn.Parameter(torch.zeros(4 * width))

    def forward(self, x, carry):
        gates = F.linear(torch.cat([x, carry.h], -1), self.w, self.b)
        i, f, o, g = gates.chunk(4, -1)
        c = torch.sigmoid(f + 1) * carry.c + torch.sigmoid(i) * torch.tanh(g)
        return Carry(torch.sigmoid(o) * torch.tanh(c), c)


class Demand(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.cell = DockCell(3, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x, carry):
        carry = self.cell(x, carry)
        return self.head(carry.h).squeeze(-1), carry


def hours(stations):
    level = torch.rand(stations) * 2
    t = 0
    while True:
        day = 2 * math.pi * t / 24
        ctx = torch.stack([torch.full((stations,), math.sin(day)), torch.full((stations,), math.cos(day)), level], -1)
        yield ctx, level * (1 + 0.5 * math.sin(day + 0.5)) + 0.05 * torch.randn(stations)
        t += 1


def fit(net, stream, steps, backward):
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    carry = Carry.blank(6, 10)
    for n, (ctx, rides) in zip(range(steps), stream):
        guess, carry = net(ctx, carry)
        loss = F.smooth_l1_loss(guess, rides)
        opt.zero_grad()
        backward(loss)
        opt.step()
        carry = carry.freeze()
        if n % 80 == 0:
            print(n, f"{loss.item():.4f}")


fit(Demand(), hours(6), 320, partial(torch.Tensor.backward, retain_graph=True))
