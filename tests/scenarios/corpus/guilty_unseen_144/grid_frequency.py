# gradwatch-corpus: kind=graph-chain
# holder: h | tracker.gi_frame.f_locals["h"]
# first-bad: 1
# notice: 5
import itertools
import math

import torch

torch.set_num_threads(1)
from torch import nn
from torch.optim import Optimizer

torch.manual_seed(60)


class FlatSGD(Optimizer):
    """House optimizer: clipped SGD that writes straight to storage."""

    def __init__(self, params, lr, clip):
        super().__init__(params, {"lr": lr, "clip": clip})

    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                d = p.grad.data
                n = d.norm()
                if n > g["clip"]:
                    d = d * (g["clip"] / n)
                p.data.add_(d, alpha=-g["lr"])


def primed(gen_fn):
    def start(*a, **k):
        g = gen_fn(*a, **k)
        next(g)
        return g
    return start


@primed
def tracker_for(cell, width):
    h = torch.zeros(1, width)
    while True:
        x = yield h
        h = cell(x, h)  # <- culprit


def meter():
    for t in itertools.count():
        yield torch.tensor([[math.sin(t / 9), math.cos(t / 9), 0.1 * float(torch.randn(()))]])


cell = nn.GRUCell(3, 6)
read = nn.Linear(6, 1)
opt = FlatSGD([*cell.parameters(), *read.parameters()], lr=0.05, clip=1.0)
tracker = tracker_for(cell, 6)
stream = meter()
now = next(stream)
for minute in range(190):
    nxt = next(stream)
    err = read(tracker.send(now)) - nxt[:, :1]
    loss = err.square().mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    now = nxt
    if minute % 40 == 0:
        print(minute, round(loss.item(), 5))
