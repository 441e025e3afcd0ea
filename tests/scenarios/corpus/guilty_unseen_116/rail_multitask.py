# gradwatch-corpus: kind=second-backward
# holder: ctx.feats | feats
# first-bad: 60
# notice: 0
"""Rail axle-box vibration: wear regression first, fault class and speed heads join the schedule later."""
from dataclasses import dataclass, field
from typing import Callable, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Sample(NamedTuple):
    signal: torch.Tensor
    wear: torch.Tensor
    fault: torch.Tensor
    speed: torch.Tensor


class StepContext:
    __slots__ = ("step", "sample", "feats", "values")

    def __init__(self, step, sample, feats):
        self.step, self.sample, self.feats = step, sample, feats
        self.values = {}


@dataclass
class Task:
    name: str
    out: int
    loss: Callable
    weight: float = 1.0
    starts: int = 0


@dataclass
class Plan:
    seed: int = 8
    points: int = 48
    width: int = 20
    steps: int = 200
    batch: int = 24
    lr: float = 3e-3
    tasks: list = field(default_factory=list)


TASKS = []


def task(out, *, weight=1.0, starts=0):
    def deco(fn):
        TASKS.append(Task(fn.__name__, out, fn, weight, starts))
        return fn
    return deco


@task(1)
def wear(pred, sample):
    return F.mse_loss(pred.squeeze(-1), sample.wear)


@task(3, weight=0.5, starts=60)
def fault(pred, sample):
    return F.cross_entropy(pred, sample.fault)


@task(1, weight=0.2, starts=120)
def speed(pred, sample):
    return F.l1_loss(pred.squeeze(-1), sample.speed)


class RailTrainer:
    def __init__(self, plan):
        self.plan = plan
        self.trunk = nn.Sequential(
            nn.Linear(plan.points, plan.width), nn.ReLU(), nn.Linear(plan.width, plan.width), nn.Tanh())
        self.heads = nn.ModuleDict({t.name: nn.Linear(plan.width, t.out) for t in plan.tasks})
        self.opt = torch.optim.Adam([*self.trunk.parameters(), *self.heads.parameters()], lr=plan.lr)

    def active(self, step):
        return [t for t in self.plan.tasks if step >= t.starts]

    def backprop(self, ctx):
        for t in self.active(ctx.step):
            value = t.loss(self.heads[t.name](ctx.feats), ctx.sample)
            (t.weight * value).backward()  # <- culprit
            ctx.values[t.name] = value.item()

    def step(self, index, sample):
        ctx = StepContext(index, sample, self.trunk(sample.signal))
        self.opt.zero_grad()
        self.backprop(ctx)
        self.opt.step()
        return ctx.values

    def samples(self):
        gen = torch.Generator().manual_seed(self.plan.seed)
        grid = torch.linspace(0, 6.28, self.plan.points)
        for _ in range(self.plan.steps):
            n = self.plan.batch
            wear_, speed_ = torch.rand(n, generator=gen), 1 + torch.rand(n, generator=gen)
            kind = torch.randint(0, 3, (n,), generator=gen)
            wave = torch.sin(grid * speed_[:, None] * 3) * (1 + wear_[:, None])
            wave = wave + 0.5 * torch.cos(grid * (kind[:, None] + 5.0))
            yield Sample(wave + 0.1 * torch.randn(wave.shape, generator=gen), wear_, kind, speed_)

    def fit(self):
        for i, sample in enumerate(self.samples()):
            values = self.step(i, sample)
            if i % 25 == 0:
                print(i, {k: round(v, 4) for k, v in values.items()})


if __name__ == "__main__":
    torch.set_num_threads(1)
    plan = Plan(tasks=TASKS)
    torch.manual_seed(plan.seed)
    RailTrainer(plan).fit()
