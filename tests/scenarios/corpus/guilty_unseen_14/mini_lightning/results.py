"""Where `self.log(...)` ends up: one weighted mean per key."""
from __future__ import annotations

from torch import Tensor


class WeightedMean:
    __slots__ = ("_sum", "_weight")

    def __init__(self) -> None:
        self._sum: Tensor | float = 0.0
        self._weight = 0

    def update(self, value: Tensor | float, weight: int) -> None:
        self._sum = self._sum + value * weight  # <- culprit
        self._weight += weight

    def compute(self) -> float:
        total = self._sum.item() if isinstance(self._sum, Tensor) else self._sum
        return total / max(self._weight, 1)


class ResultCollection:
    def __init__(self) -> None:
        self.meters: dict[str, WeightedMean] = {}

    def record(self, key: str, value: Tensor | float, weight: int) -> None:
        self.meters.setdefault(key, WeightedMean()).update(value, weight)

    def snapshot(self) -> dict[str, float]:
        return {key: meter.compute() for key, meter in self.meters.items()}
