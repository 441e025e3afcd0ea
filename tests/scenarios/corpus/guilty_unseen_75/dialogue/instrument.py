"""Named probes around functions: how often, how long, and what came out."""
from __future__ import annotations

import functools
import time
from typing import Any, Callable, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Sample(NamedTuple):
    elapsed: float
    value: Any


class Probe:
    def __init__(self, name: str) -> None:
        self.name = name
        self.samples: list[Sample] = []

    def record(self, elapsed: float, value: Any) -> None:
        self.samples.append(Sample(elapsed, value))  # <- culprit

    def describe(self) -> str:
        total = sum(s.elapsed for s in self.samples)
        last = f"{self.samples[-1].value:.4f}" if self.samples else "-"
        return f"{self.name}: n={len(self.samples)} total={total:.2f}s last={last}"


PROBES: dict[str, Probe] = {}


def probed(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    probe = PROBES.setdefault(name, Probe(name))

    def decorate(fn: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(fn)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            begin = time.perf_counter()
            result = fn(*args, **kwargs)
            probe.record(time.perf_counter() - begin, result)  # <- culprit
            return result
        return wrapper
    return decorate


def summary() -> str:
    return "\n".join(p.describe() for p in PROBES.values())
