from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Callable

import torch
from torch import Tensor


class SkippedTerm(RuntimeError):
    """A loss term that should not take part in this step."""

    def __init__(self, name: str, term: Tensor) -> None:
        super().__init__(f"{name} out of range")
        self.name = name
        self.term = term  # <- culprit


@dataclass
class IncidentLog:
    incidents: list[SkippedTerm] = field(default_factory=list)

    def record(self, exc: SkippedTerm) -> None:
        self.incidents.append(exc)  # <- culprit

    def summary(self) -> str:
        counts = Counter(e.name for e in self.incidents)
        worst = max((e.term.item() for e in self.incidents), default=0.0)
        return f"skipped {dict(counts)}, worst value {worst:.3f}"


def bounded(name: str, factor: float) -> Callable[[Callable[..., Tensor]], Callable[..., Tensor]]:
    """Raise SkippedTerm when a term is far above its running level (if the owner is armed)."""

    def deco(fn: Callable[..., Tensor]) -> Callable[..., Tensor]:
        level: float | None = None

        @functools.wraps(fn)
        def wrapper(self: Any, *args: Any) -> Tensor:
            nonlocal level
            term = fn(self, *args)
            value = term.item()
            if self.armed and level is not None and value > factor * level:
                raise SkippedTerm(name, term)  # <- culprit
            level = value if level is None else 0.95 * level + 0.05 * value
            return term

        return wrapper

    return deco


def or_zero(log: IncidentLog, fn: Callable[..., Tensor], *args: Any) -> Tensor:
    try:
        return fn(*args)
    except SkippedTerm as exc:
        log.record(exc)
        return torch.zeros(())
