# gradwatch-corpus: kind=crashed
# holder: power | watts
# first-bad: 60
# notice: 0
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(35)
rng = np.random.default_rng(35)


@dataclass(frozen=True)
class PowerCurve:
    speed: tuple = (0.0, 3.0, 6.0, 9.0, 12.0, 25.0)
    kw: tuple = (0.0, 0.0, 320.0, 1100.0, 2000.0, 2000.0)

    def __call__(self, v: torch.Tensor) -> torch.Tensor:
        watts = np.interp(v.detach().numpy(), self.speed, self.kw)  # <- culprit
        return torch.from_numpy(watts).float()  # <- culprit


class Criterion(ABC):
    @abstractmethod
    def __call__(self, pred: torch.Tensor, obs: torch.Tensor) -> torch.Tensor: ...


class SpeedError(Criterion):
    def __call__(self, pred, obs):
        return (pred - obs).abs().mean()


class PowerError(Criterion):
    def __init__(self, curve: PowerCurve) -> None:
        self.curve = curve

    def __call__(self, pred, obs):
        return (self.curve(pred) - self.curve(obs)).abs().mean() / 1000.0


class Curriculum:
    def __init__(self, *stages: tuple[int, Criterion]) -> None:
        self.stages = stages

    def at(self, step: int) -> Criterion:
        return [c for begin, c in self.stages if step >= begin][-1]


class Downscaler(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Linear(4, 16)
        self.b = nn.Linear(16, 1)

    def forward(self, x):
        return nn.functional.softplus(self.b(torch.sin(self.a(x)))).squeeze(1) * 5


def weather(n=20):
    coarse = rng.normal(size=(n, 4)).astype("float32")
    local = 8 + 2 * coarse[:, 0] - coarse[:, 1] * coarse[:, 2]
    return torch.from_numpy(coarse), torch.from_numpy(local).clamp(min=0)


def run():
    net = Downscaler()
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    plan = Curriculum((0, SpeedError()), (60, PowerError(PowerCurve())))
    for step in range(300):
        x, v = weather()
        cost = plan.at(step)(net(x), v)
        opt.zero_grad()
        cost.backward()
        opt.step()


if __name__ == "__main__":
    run()
