# gradwatch-corpus: kind=second-backward
# holder: self._bank | hyper._bank | self._bank[task] | learner.hyper._bank | weights
# first-bad: 6
"""One hypernetwork writes the weights of a small regressor for each of six sine-family tasks.
Part of our multi-task benchmark (lab edition)."""

import math
import random

import torch
import torch.nn as nn


class SineTask(object):

    def __init__(self, amp, freq, phase):
        self.amp = amp
        self.freq = freq
        self.phase = phase

    def draw(self, n):
        x = torch.rand(n, 1) * 4 - 2
        y = self.amp * torch.sin(self.freq * x + self.phase)
        return x, y + 0.02 * torch.randn_like(y)


class HyperNetwork(nn.Module):

    SHAPES = [(16, 1), (16,), (16, 16), (16,), (1, 16), (1,)]

    def __init__(self, numTasks, embDim=8, hidden=32):
        super().__init__()
        self.codes = nn.Embedding(numTasks, embDim)
        self.trunk = nn.Sequential(nn.Linear(embDim, hidden), nn.Tanh())
        self.heads = nn.ModuleList([nn.Linear(hidden, math.prod(s)) for s in self.SHAPES])
        for h in self.heads:
            nn.init.normal_(h.weight, std=0.08)
        self._bank = {}

    def emit(self, task):
        z = self.trunk(self.codes(torch.tensor(task)))
        return [h(z).view(s) for h, s in zip(self.heads, self.SHAPES)]

    def weightsFor(self, task):
        if task not in self._bank:
            self._bank[task] = self.emit(task)  # <- culprit
        return self._bank[task]  # <- culprit


def apply(weights, x):
    w1, b1, w2, b2, w3, b3 = weights
    h = torch.tanh(x @ w1.t() + b1)
    h = torch.tanh(h @ w2.t() + b2)
    return h @ w3.t() + b3


class RoundRobin(object):
    """All tasks once a round, in an order shuffled anew."""

    def __init__(self, n, seed):
        self.n = n
        self.rng = random.Random(seed)

    def __iter__(self):
        while True:
            order = list(range(self.n))
            self.rng.shuffle(order)
            for t in order:
                yield t


class Learner(object):

    def __init__(self, tasks, lr=3e-3):
        self.tasks = tasks
        self.hyper = HyperNetwork(len(tasks))
        self.optimizer = torch.optim.Adam(self.hyper.parameters(), lr=lr)
        self.running = [None] * len(tasks)

    def lossOn(self, task, n=32):
        x, y = self.tasks[task].draw(n)
        weights = self.hyper.weightsFor(task)
        return torch.mean((apply(weights, x) - y) ** 2)

    def update(self, task):
        loss = self.lossOn(task)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        v = loss.item()
        old = self.running[task]
        self.running[task] = v if old is None else 0.9 * old + 0.1 * v
        return v


def main(iterations=600):
    torch.manual_seed(9)
    tasks = [SineTask(0.5 + 0.2 * i, 1.0 + 0.3 * i, 0.5 * i) for i in range(6)]
    learner = Learner(tasks)
    for it, task in enumerate(RoundRobin(len(tasks), seed=2)):
        if it >= iterations:
            break
        learner.update(task)
        if it % 60 == 5:
            print(it, " ".join("%.3f" % r for r in learner.running))


if __name__ == "__main__":
    main()
