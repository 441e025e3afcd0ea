# gradwatch-corpus: kind=none
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(23)


@dataclass(frozen=True)
class MetaConfig:
    inner_lr: float = 0.05
    inner_steps: int = 3
    tasks: int = 3
    outer_lr: float = 2e-3
    rounds: int = 420


class SensorTask:
    """One sensor's drift curve, sampled twice."""

    def __init__(self) -> None:
        self.gain = 0.5 + torch.rand(1)
        self.shift = torch.rand(1) * 3

    def draw(self, n: int = 8):
        t = torch.rand(n, 1) * 6 - 3
        return t, self.gain * torch.sin(t + self.shift)


class Fast:
    def __init__(self, net: nn.Module, cfg: MetaConfig) -> None:
        self.net, self.cfg = net, cfg
        self.weights = dict(net.named_parameters())

    def risk(self, x, y):
        return (functional_call(self.net, self.weights, (x,)) - y).pow(2).mean()

    def adapt(self, x, y) -> "Fast":
        for _ in range(self.cfg.inner_steps):
            grads = torch.autograd.grad(self.risk(x, y), list(self.weights.values()), create_graph=True)
            self.weights = {k: w - self.cfg.inner_lr * g for (k, w), g in zip(self.weights.items(), grads)}
        return self


class MetaLearner:
    def __init__(self, cfg: MetaConfig) -> None:
        self.cfg = cfg
        self.net = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.outer_lr)

    def round(self) -> float:
        outer = 0.0
        for _ in range(self.cfg.tasks):
            task = SensorTask()
            outer = outer + Fast(self.net, self.cfg).adapt(*task.draw()).risk(*task.draw())
        self.opt.zero_grad()
        (outer / self.cfg.tasks).backward()
        self.opt.step()
        return outer.item() / self.cfg.tasks


learner = MetaLearner(MetaConfig())
curve = [learner.round() for _ in range(learner.cfg.rounds)]
print(round(curve[0], 4), round(curve[-1], 4))
