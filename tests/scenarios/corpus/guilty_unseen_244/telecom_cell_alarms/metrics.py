from __future__ import annotations

from collections import defaultdict
from typing import Callable

import torch

Reducer = Callable[[list], float]


def _mean(values: list) -> float:
    return sum(float(v) for v in values) / max(len(values), 1)


def _last(values: list) -> float:
    return float(values[-1])


def _peak(values: list) -> float:
    return max(float(v) for v in values)


class MetricRegistry:
    reducers: dict[str, Reducer] = {"mean": _mean, "last": _last, "peak": _peak}

    def __init__(self) -> None:
        self.series: dict[str, list] = defaultdict(list)
        self.kinds: dict[str, str] = {}

    def declare(self, name: str, kind: str = "mean") -> None:
        if kind not in self.reducers:
            raise KeyError(kind)
        self.kinds[name] = kind

    def push(self, name: str, value: torch.Tensor | float) -> None:
        self.series[name].append(value)  # <- culprit

    def report(self) -> str:
        lines = []
        for name, kind in self.kinds.items():
            lines.append(f"{name:<16}{kind:<6}{self.reducers[kind](self.series[name]):.4f}")
        return "\n".join(lines)
