# gradwatch-corpus: kind=graph-held
# holder: self.prev | self.tail | run.tail | self.head | step.prev | run.tail.prev | entry
# first-bad: 1
"""Autoencoder with a provenance trail: every step knows the one it came from."""
import torch
from torch import nn


class Entry:
    __slots__ = ("index", "value", "prev")

    def __init__(self, index, value, prev=None):
        self.index = index
        self.value = value  # <- culprit
        self.prev = prev

    def walk(self, limit):
        e = self
        while e is not None and limit:
            yield e
            e, limit = e.prev, limit - 1


class Run:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.8)
        self.tail = None
        self.n = 0

    def advance(self, x):
        rec = self.model(x)
        err = (rec - x).pow(2).mean()
        self.opt.zero_grad()
        err.backward()
        self.opt.step()
        self.tail = Entry(self.n, err, self.tail)  # <- culprit
        self.n += 1

    @property
    def recent(self):
        vals = [float(e.value) for e in self.tail.walk(10)]
        return sum(vals) / len(vals)


torch.manual_seed(21)
basis = torch.randn(4, 20)
ae = nn.Sequential(nn.Linear(20, 12), nn.ELU(), nn.Linear(12, 4), nn.Linear(4, 12), nn.ELU(), nn.Linear(12, 20))
run = Run(ae, 0.05)
while run.n < 190:
    run.advance(torch.randn(32, 4) @ basis + 0.1 * torch.randn(32, 20))
    if run.n % 38 == 0:
        print(run.n, round(run.recent, 4))
