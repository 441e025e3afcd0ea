from dataclasses import dataclass, field

import torch
from torch import nn

from pool import HardPool


class FrequencyNet(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n, 24), nn.ELU(), nn.Linear(24, 24), nn.ELU())
        self.log_rate = nn.Linear(24, 1)

    def forward(self, x, exposure):
        return self.log_rate(self.trunk(x)).squeeze(-1) + exposure.log()


def poisson_deviance(eta, y):
    sat = torch.where(y > 0, y * y.clamp_min(1).log() - y, torch.zeros_like(y))
    return 2 * (sat - (y * eta - eta.exp())).mean()


@dataclass
class Fitter:
    net: nn.Module
    opt: torch.optim.Optimizer
    pool: HardPool = field(default_factory=HardPool)
    review_every: int = 30
    hard_weight: float = 0.25
    done: int = 0

    def step(self, x, exposure, y):
        dev = poisson_deviance(self.net(x, exposure), y)
        objective = dev
        if self.done and self.done % self.review_every == 0:
            objective = objective + self.hard_weight * self.pool.drain()  # <- culprit
        self.opt.zero_grad()
        objective.backward()
        self.opt.step()
        self.pool.offer(dev)  # <- culprit
        self.done += 1
        return dev.item()
