from __future__ import annotations

from typing import Protocol

from torch import Tensor


class Baseline(Protocol):
    def __call__(self, values: Tensor) -> Tensor | float: ...


class NoBaseline:
    def __call__(self, values: Tensor) -> float:
        return 0.0


class SmoothedValue:
    """Exponential mean of the critic's output, seeded by an evaluation."""

    def __init__(self, seed_value: float, momentum: float = 0.9) -> None:
        self.mean: Tensor | float = seed_value
        self.momentum = momentum

    def __call__(self, values: Tensor) -> Tensor | float:
        batch_mean = values.mean()  # <- culprit
        self.mean = self.momentum * self.mean + (1.0 - self.momentum) * batch_mean  # <- culprit
        return self.mean
