# gradwatch-corpus: kind=memory-climb
# holder: opt.undo | self.undo | opt.undo.stack | self.stack
# first-bad: 1
# notice: 60
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(62)


@dataclass
class Checkpoint:
    step: int
    loss: float
    weights: list


class Undo:
    def __init__(self):
        self.stack = []

    def push(self, step, loss, params):
        if self.stack and loss > 4 * self.stack[-1].loss:
            return
        self.stack.append(Checkpoint(step, loss, [p.detach().clone() for p in params]))  # <- culprit

    def restore(self, params):
        last = self.stack.pop()
        with torch.no_grad():
            for p, w in zip(params, last.weights):
                p.copy_(w)
        return last


class RewindingOptimizer:
    """Steps back to the last good weights whenever the loss explodes."""

    def __init__(self, params, base, explode, **kw):
        self.params = list(params)
        self.base = base(self.params, **kw)
        self.explode = explode
        self.undo = Undo()
        self.n = self.rewinds = 0

    def step(self, loss):
        value = loss.item()
        if value > self.explode and self.undo.stack:
            self.undo.restore(self.params)
            self.rewinds += 1
        else:
            self.undo.push(self.n, value, self.params)
        self.base.zero_grad()
        loss.backward()
        self.base.step()
        self.n += 1


class Blast(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(12, 192), nn.Linear(192, 192), nn.Linear(192, 1)])

    def forward(self, charge):
        for layer in self.layers[:-1]:
            charge = torch.selu(layer(charge))
        return self.layers[-1](charge).squeeze(1)


def shots(n):
    for _ in range(n):
        x = torch.randn(32, 12)
        yield x, x[:, :6].prod(1).tanh() + x[:, 7]


net = Blast()
opt = RewindingOptimizer(net.parameters(), torch.optim.SGD, explode=50.0, lr=0.01)
for charge, vibration in shots(500):
    opt.step((net(charge) - vibration).square().mean())
print(opt.n, opt.rewinds)
