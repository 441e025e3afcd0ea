# gradwatch-corpus: kind=none
from typing import NamedTuple

import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(112)


class Task(NamedTuple):
    gain: float
    shift: float

    def draw(self, n):
        x = torch.rand(n, 1) * 4 - 2
        return x, self.gain * torch.tanh(x + self.shift)


class FastWeights:
    """Weights after a few inner steps; each step stays in the graph so that the outer loss sees it."""

    def __init__(self, net, rates):
        self.net, self.rates = net, rates
        self.w = dict(net.named_parameters())
        self.path = [self.w]

    def loss(self, x, y):
        return (functional_call(self.net, self.w, (x,)) - y).square().mean()

    def adapt(self, task, steps):
        for _ in range(steps):
            g = torch.autograd.grad(self.loss(*task.draw(8)), tuple(self.w.values()), create_graph=True)
            self.w = {k: v - self.rates[i].exp() * d for i, ((k, v), d) in enumerate(zip(self.w.items(), g))}
            self.path.append(self.w)
        return self


class MetaLearner:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        self.rates = nn.Parameter(torch.full((4,), -3.0))
        self.opt = torch.optim.Adam([*self.net.parameters(), self.rates], lr=3e-3)
        self.fast = None

    def episode(self, tasks):
        total = 0.0
        for t in tasks:
            self.fast = FastWeights(self.net, self.rates).adapt(t, 3)
            total = total + self.fast.loss(*t.draw(12))
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item() / len(tasks)


def tasks():
    while True:
        g, s = torch.rand(2).tolist()
        yield Task(0.5 + g, s - 0.5)


meta, feed = MetaLearner(), tasks()
curve = [meta.episode([next(feed), next(feed)]) for _ in range(450)]
print(curve[0], curve[-1])
