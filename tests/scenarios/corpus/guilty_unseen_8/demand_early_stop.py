# gradwatch-corpus: kind=graph-held
# holder: self.trail | stopper.trail | self._stop.trail | fitter._stop.trail
# first-bad: 11
"""Weekly demand forecaster with plateau-based early stopping."""
from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor, nn


@dataclass(slots=True)
class Observation:
    step: int
    value: Tensor

    def __lt__(self, other: "Observation") -> bool:
        return bool(self.value < other.value)


class StopRule(Protocol):
    def observe(self, step: int, value: Tensor) -> bool: ...


@dataclass
class PlateauStop:
    """Stops when the median of the last `window` observations no longer improves by `min_delta`."""

    window: int = 40
    min_delta: float = -0.05
    grace: int = 10
    trail: list[Observation] = field(default_factory=list)

    def observe(self, step: int, value: Tensor) -> bool:
        if step < self.grace:
            return False
        self.trail.append(Observation(step, value))  # <- culprit
        if len(self.trail) < 2 * self.window:
            return False
        recent = statistics.median(float(o.value) for o in self.trail[-self.window:])
        before = statistics.median(float(o.value) for o in self.trail[-2 * self.window:-self.window])
        return before - recent < self.min_delta

    @property
    def best(self) -> Observation:
        return min(self.trail)


class SeasonalNet(nn.Module):
    def __init__(self, lags: int, horizon: int) -> None:
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 12, 5, padding=2), nn.SiLU(), nn.Conv1d(12, 12, 5, padding=2), nn.SiLU())
        self.head = nn.Linear(12 * lags, horizon * 3)
        self.horizon = horizon

    def forward(self, past: Tensor) -> Tensor:
        return self.head(self.conv(past.unsqueeze(1)).flatten(1)).view(-1, self.horizon, 3)


def pinball(pred: Tensor, truth: Tensor, levels: Tensor) -> Tensor:
    diff = truth.unsqueeze(-1) - pred
    return torch.maximum(levels * diff, (levels - 1) * diff).mean()


def windows(lags: int, horizon: int, batch: int) -> Iterator[tuple[Tensor, Tensor]]:
    t = torch.arange(2000.0)
    series = torch.sin(2 * math.pi * t / 52) + 0.3 * torch.sin(2 * math.pi * t / 13) + 0.1 * torch.randn(2000)
    while True:
        start = torch.randint(0, 2000 - lags - horizon, (batch, 1))
        chunk = series[start + torch.arange(lags + horizon)]
        yield chunk[:, :lags], chunk[:, lags:]


class Fitter:
    def __init__(self, net: nn.Module, stop: StopRule) -> None:
        self._net = net
        self._stop = stop
        self._opt = torch.optim.Adam(net.parameters(), lr=1e-3)
        self._levels = torch.tensor([0.1, 0.5, 0.9])

    def fit(self, source: Iterator[tuple[Tensor, Tensor]], budget: int) -> int:
        for step in range(budget):
            past, ahead = next(source)
            cost = pinball(self._net(past), ahead, self._levels)
            self._opt.zero_grad()
            cost.backward()
            self._opt.step()
            if self._stop.observe(step, cost):  # <- culprit
                print(f"plateau at step {step}")
                return step
            if step % 60 == 0:
                print(f"step {step:4d} pinball {cost.item():.4f}")
        return budget


if __name__ == "__main__":
    torch.manual_seed(31)
    stopper = PlateauStop()
    fitter = Fitter(SeasonalNet(lags=52, horizon=8), stopper)
    used = fitter.fit(windows(52, 8, 48), budget=300)
    print(f"used {used} steps, best {float(stopper.best.value):.4f} at {stopper.best.step}")
