# gradwatch-corpus: kind=graph-chain
# holder: level | trend | self._filter.gi_frame.f_locals | trainer._filter.gi_frame.f_locals
# first-bad: 1
# notice: 5
"""Learn the gains of an alpha-beta filter for refrigerated-truck temperature feeds.

The filter is a coroutine: send() takes an observation and gives the one-step forecast.
"""
from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Callable, Generator, Iterator, ParamSpec, TypeVar

import torch
from torch import Tensor, nn

P = ParamSpec("P")
T = TypeVar("T")
FilterCoroutine = Generator[Tensor, Tensor, None]


def primed(fn: Callable[P, FilterCoroutine]) -> Callable[P, FilterCoroutine]:
    @functools.wraps(fn)
    def start(*args: P.args, **kwargs: P.kwargs) -> FilterCoroutine:
        gen = fn(*args, **kwargs)
        next(gen)
        return gen
    return start


@dataclass(frozen=True)
class FilterConfig:
    sensors: int = 6
    steps: int = 260
    lr: float = 5e-3
    seed: int = 21
    log_every: int = 65


class Gains(nn.Module):
    """Per-sensor gains, squeezed into (0, 1)."""

    def __init__(self, sensors: int) -> None:
        super().__init__()
        self.raw_alpha = nn.Parameter(torch.zeros(sensors))
        self.raw_beta = nn.Parameter(torch.full((sensors,), -2.0))

    def forward(self) -> tuple[Tensor, Tensor]:
        return torch.sigmoid(self.raw_alpha), torch.sigmoid(self.raw_beta)


@primed
def alpha_beta(gains: Gains, sensors: int) -> FilterCoroutine:
    level, trend = torch.zeros(sensors), torch.zeros(sensors)
    forecast = level
    while True:
        observed = yield forecast
        alpha, beta = gains()
        residual = observed - (level + trend)
        new_level = level + trend + alpha * residual
        trend = trend + beta * (new_level - level - trend)  # <- culprit
        level = new_level  # <- culprit
        forecast = level + trend


def truck_feed(sensors: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Pairs (reading now, reading one step later), never ending."""
    phase = torch.rand(sensors) * 6.28
    t = 0
    read = lambda k: torch.sin(0.05 * k + phase) + 0.1 * torch.randn(sensors)
    now = read(t)
    while True:
        t += 1
        nxt = read(t)
        yield now, nxt
        now = nxt


class OnlineTrainer:
    def __init__(self, cfg: FilterConfig) -> None:
        self.cfg = cfg
        self.gains = Gains(cfg.sensors)
        self.opt = torch.optim.RMSprop(self.gains.parameters(), lr=cfg.lr)
        self._filter = alpha_beta(self.gains, cfg.sensors)
        self.recent = 0.0

    def update(self, now: Tensor, nxt: Tensor) -> float:
        forecast = self._filter.send(now)
        loss = (forecast - nxt).abs().mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()

    def run(self) -> None:
        for i, (now, nxt) in zip(range(self.cfg.steps), truck_feed(self.cfg.sensors)):
            value = self.update(now, nxt)
            self.recent = 0.95 * self.recent + 0.05 * value
            if i % self.cfg.log_every == 0:
                a, b = (g.mean().item() for g in self.gains())
                print(f"{i:4d} abs err {self.recent:.3f} alpha {a:.2f} beta {b:.2f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    cfg = FilterConfig()
    torch.manual_seed(cfg.seed)
    OnlineTrainer(cfg).run()
