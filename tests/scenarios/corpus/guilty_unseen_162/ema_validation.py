# gradwatch-corpus: kind=inplace-modified
# first-bad: 19
# notice: 0
"""Regression with averaged weights; every twentieth step the average is validated."""
import copy
from contextlib import contextmanager

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(55)


class WeightAverage:
    def __init__(self, model, decay=0.95):
        self.model, self.decay = model, decay
        self.shadow = {k: v.detach().clone() for k, v in model.named_parameters()}

    @torch.no_grad()
    def update(self):
        for k, p in self.model.named_parameters():
            self.shadow[k].lerp_(p, 1 - self.decay)

    @contextmanager
    def applied(self):
        """The model with averaged weights inside, with its own again afterwards."""
        backup = {k: v.detach().clone() for k, v in self.model.named_parameters()}
        self._load(self.shadow)
        try:
            yield self.model
        finally:
            self._load(backup)

    @torch.no_grad()
    def _load(self, weights):
        for k, p in self.model.named_parameters():
            p.copy_(weights[k])  # <- culprit


class Monitor:
    def __init__(self, average, x, y, every):
        self.average, self.x, self.y, self.every = average, x, y, every
        self.best = float("inf")
        self.best_state = None
        self.n = 0

    def observe(self, loss):
        self.n += 1
        if self.n % self.every:
            return
        with self.average.applied() as model, torch.no_grad():  # <- culprit
            val = F.mse_loss(model(self.x), self.y).item()
        if val < self.best:
            self.best = val
            self.best_state = copy.deepcopy(self.average.shadow)
        print(f"step {self.n} train {loss.item():.4f} val {val:.4f} best {self.best:.4f}")


def target(x):
    return (x[:, :2].prod(1) + x[:, 2].sin()).unsqueeze(1)


def fit(steps=120):
    model = nn.Sequential(nn.Linear(5, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 1))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    xv = torch.randn(200, 5)
    average = WeightAverage(model)
    monitor = Monitor(average, xv, target(xv), every=20)
    for _ in range(steps):
        x = torch.randn(64, 5)
        loss = F.mse_loss(model(x), target(x))
        opt.zero_grad()
        monitor.observe(loss)  # <- culprit
        loss.backward()
        opt.step()
        average.update()
    return monitor.best


print("best", fit())
