"""Whether memory climbs, and whether it has for long and high enough. Pure.

Statistics, the only ones here, and so the most patient: the low points of eight spans in a row
must each lie above the one before, and the rise must not slow down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Final

_SPANS: Final = 8

_LOOKS_BACK: Final = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""How many looks at memory make a span."""


@dataclass(frozen=True, slots=True)
class Point:
    """One look at memory: seconds, iterations, bytes."""

    at: float
    iteration: int
    used_bytes: int


@dataclass(frozen=True, slots=True)
class Trend:
    """A proven climb: from where to where."""

    first: Point
    last: Point

    @property
    def rise(self) -> int:
        """In bytes."""
        return self.last.used_bytes - self.first.used_bytes

    @property
    def took_s(self) -> float:
        """In seconds."""
        return self.last.at - self.first.at

    @property
    def per_s(self) -> float:
        """Bytes per second: the looks of long ago lie farther apart than those of late."""
        return self.rise / self.took_s if self.took_s > 0 else 0.0

    @property
    def per_iteration(self) -> float | None:
        """Bytes; None within one iteration."""
        iterations = self.last.iteration - self.first.iteration
        return self.rise / iterations if iterations else None


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and how high a climb must be before it is told."""

    seconds: float
    iterations: int
    rise_bytes: int
    share: float
    """Of what was there at its start."""

    def times(self, factor: int) -> Patience:
        """So many times as patient."""
        return Patience(
            factor * self.seconds, factor * self.iterations, factor * self.rise_bytes, self.share
        )

    def is_over(self, trend: Trend) -> bool:
        """Whether the climb has been borne long enough."""
        high = trend.rise >= max(self.rise_bytes, self.share * trend.first.used_bytes)
        long = trend.last.iteration - trend.first.iteration >= self.iterations
        return high and long and trend.took_s >= self.seconds


LIVE: Final = Patience(seconds=60.0, iterations=20, rise_bytes=64_000_000, share=0.05)
"""Caches and pools fill in less."""

EARLY: Final = Patience(seconds=20.0, iterations=20, rise_bytes=32_000_000, share=0.05)
"""Where a container is seen to grow that explains the climb, it is worth a hint: what it holds may
be let go of at an epoch's end."""

THOROUGH: Final = Patience(seconds=0.0, iterations=24, rise_bytes=16_000_000, share=0.02)
"""A check sees memory at every iteration, and has but few of them."""

SLIGHT: Final = Patience(seconds=0.0, iterations=24, rise_bytes=8_000_000, share=0.01)
"""In a check, what is worth a hint where a container is seen to grow that explains it."""


def climbing(points: Sequence[Point]) -> Trend | None:
    """The longest look back that shows a steady climb; points are in order of time."""
    longest = None
    for spans in _LOOKS_BACK:
        if spans * _SPANS > len(points):
            break
        longest = _steady(points[-spans * _SPANS :]) or longest
    return longest


def _steady(points: Sequence[Point]) -> Trend | None:
    """The climb over these points, if each span's low lies above the last and it keeps its pace."""
    length = len(points) // _SPANS
    lows = [
        min(points[i * length : (i + 1) * length], key=attrgetter("used_bytes"))
        for i in range(_SPANS)
    ]
    rises = [after.used_bytes - before.used_bytes for before, after in pairwise(lows)]
    if min(rises) <= 0 or points[-1].at <= points[0].at:
        return None
    early, late = Trend(lows[0], lows[_SPANS // 2 - 1]), Trend(lows[-_SPANS // 2], lows[-1])
    return Trend(lows[0], lows[-1]) if 2 * late.per_s >= early.per_s else None
