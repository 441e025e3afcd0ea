# gradwatch-corpus: kind=none
"""Regression on drifting data, held near a slow copy of the weights."""
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn


class Frozen:
    """Attribute that takes values only, whatever it is given."""

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.slot)

    def __set__(self, obj, value):
        setattr(obj, self.slot, tuple(v.detach().clone() for v in value))


class Elastic:
    anchor = Frozen()

    def __init__(self, params, speed, strength):
        self.params = list(params)
        self.speed = speed
        self.strength = strength
        self.anchor = self.params

    def follow(self):
        self.anchor = [a.lerp(p, self.speed) for a, p in zip(self.anchor, self.params)]

    def penalty(self):
        return self.strength * sum((p - a).square().sum() for p, a in zip(self.params, self.anchor))


@dataclass
class Plan:
    steps: int = 110
    batch: int = 40
    lr: float = 0.03
    speed: float = 0.1
    strength: float = 0.5


def drifting(plan, seed=5):
    gen = torch.Generator().manual_seed(seed)
    w = torch.randn(8, generator=gen)
    for i in range(plan.steps):
        w = w + 0.03 * torch.randn(8, generator=gen)
        x = torch.randn(plan.batch, 8, generator=gen)
        yield x, (x @ w).tanh()


def run(plan, callbacks=None):
    torch.manual_seed(15)
    net = nn.Sequential(nn.Linear(8, 24), nn.Softplus(), nn.Linear(24, 1), nn.Tanh())
    elastic = Elastic(net.parameters(), plan.speed, plan.strength)
    opt = torch.optim.SGD(net.parameters(), lr=plan.lr, momentum=0.8)
    before_batch = [elastic.follow]
    after_batch = [partial(print_every, 25)]
    for step, (x, y) in enumerate(drifting(plan)):
        for fn in before_batch:
            fn()
        fit = (net(x).squeeze(1) - y).square().mean()
        loss = fit + elastic.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        for fn in after_batch:
            fn(step, fit, loss)


def print_every(n, step, fit, loss):
    if step % n == 0:
        print(f"{step:3d}: fit {fit.item():.4f} with penalty {loss.item():.4f}")


if __name__ == "__main__":
    run(Plan())
