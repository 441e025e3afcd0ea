"""`memory-climb` and `oom-forecast`: memory that rises and rises, and when it is full. Pure.

Statistics, the only ones here, and so the most patient: the low points of eight spans in a row
must each lie above the one before, and the rise must not slow down.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.journal import Series
from gradwatch_agent.verdicts.case import Answer, Case, amount, plural

_SPANS: Final = 8

_LOOKS_BACK: Final = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""How many looks at memory make a span."""


@dataclass(frozen=True, slots=True)
class _Point:
    at: float
    iteration: int
    used_bytes: int


@dataclass(frozen=True, slots=True)
class _Trend:
    """A proven climb: from where to where."""

    first: _Point
    last: _Point

    @property
    def rise(self) -> int:
        return self.last.used_bytes - self.first.used_bytes

    @property
    def took_s(self) -> float:
        return self.last.at - self.first.at

    @property
    def per_s(self) -> float:
        """The looks of long ago lie farther apart than those of late."""
        return self.rise / self.took_s if self.took_s > 0 else 0.0

    @property
    def per_iteration(self) -> float | None:
        iterations = self.last.iteration - self.first.iteration
        return self.rise / iterations if iterations else None


@dataclass(frozen=True, slots=True)
class _Patience:
    """How long and how high a climb must be before it is told."""

    seconds: float
    iterations: int
    rise_bytes: int
    share: float
    """Of what was there at its start."""

    def times(self, factor: int) -> _Patience:
        """So many times as patient."""
        return _Patience(
            factor * self.seconds, factor * self.iterations, factor * self.rise_bytes, self.share
        )

    def is_over(self, trend: _Trend) -> bool:
        """Whether the climb has been borne long enough."""
        high = trend.rise >= max(self.rise_bytes, self.share * trend.first.used_bytes)
        long = trend.last.iteration - trend.first.iteration >= self.iterations
        return high and long and trend.took_s >= self.seconds


_LIVE: Final = _Patience(seconds=60.0, iterations=20, rise_bytes=64_000_000, share=0.05)
"""Caches and pools fill in less."""

_THOROUGH: Final = _Patience(seconds=0.0, iterations=36, rise_bytes=16_000_000, share=0.02)
"""A check sees memory at every iteration, and has but few of them."""

_EXPLAINED: Final = 0.25
"""A container explains a climb if it makes this share of it: much of memory is not counted."""

_UNEXPLAINED: Final = 8
"""Times more patience with a climb that no container of the program's explains: allocators, pools
and libraries take memory for long before they settle."""

_OF_A_CACHE: Final = " A store that fills: it ends once it holds all that is asked for, or never."

_FORECAST_S: Final = 10.0
"""A forecast needs at least this long a look, in seconds."""

_SOON_S: Final = 300.0
"""Full within this time is worth an alarm."""

_CALM_S: Final = 120.0
"""Without a climb for this long, it is over."""


class Climb:
    """Watches one kind of memory; `name` is what the message calls it."""

    def __init__(self, name: str, patience: _Patience = _LIVE) -> None:
        self._name = name
        self._patience = patience
        self._points: Series[_Point] = Series(512, lambda _older, newer: newer)
        self._trend: _Trend | None = None
        self._proven: _Trend | None = None
        """The highest that was borne long enough, since it climbs: what each look shows of it
        varies, and is not to be told and taken back.
        """
        self._borne = 0
        """How many times the patience it was borne at the most."""
        self._seen_at = 0.0
        self._limit: int | None = None
        self._used: int | None = None

    def memory(
        self, at: float, iteration: int, used_bytes: int, limit: int | None, against: int | None
    ) -> None:
        """One look. `against`: what counts against the limit, where it is more than `used`."""
        self._points.append(_Point(at, iteration, used_bytes))
        self._limit, self._used = limit, against if against is not None else used_bytes
        trend = self._climbing()
        if trend is not None:
            self._trend, self._seen_at = trend, at
            self._bear(trend)
        elif self._trend is not None and at - self._seen_at > _CALM_S:
            self._trend = self._proven = None
            self._borne = 0

    def _bear(self, trend: _Trend) -> None:
        for factor in (1, _UNEXPLAINED):
            if self._patience.times(factor).is_over(trend):
                self._borne = max(self._borne, factor)
        higher = self._proven is None or trend.rise > self._proven.rise
        if higher and self._patience.is_over(trend):
            self._proven = trend

    def _climbing(self) -> _Trend | None:
        """The longest look back that shows a steady climb."""
        points = list(self._points)
        longest = None
        for spans in _LOOKS_BACK:
            if spans * _SPANS > len(points):
                break
            longest = _steady(points[-spans * _SPANS :]) or longest
        return longest

    @property
    def slope_per_iteration(self) -> float | None:
        """Bytes per iteration of the present climb."""
        return self._trend.per_iteration if self._trend else None

    def case(self, why: Answer | None = None) -> Case | None:
        """The forecast if memory will be full soon, else the climb if it is long enough.

        `why`: what was found to grow; None where it was not looked for.
        """
        trend = self._trend
        if trend is None:
            return None
        left_s = self._left_s(trend)
        if left_s is not None and left_s < _SOON_S and trend.took_s >= _FORECAST_S:
            return self._forecast(trend, left_s)
        proven = self._proven
        if proven is None or self._borne < _needed(why, proven):
            return None
        rate = trend.per_iteration
        each = f", {amount(rate)} an iteration" if rate else ""
        fills = why is not None and why.fills
        return Case(
            kind="memory-climb",
            level="info" if fills else "warning",
            since=proven.first.iteration,
            message=(
                f"{self._name} climbs steadily{each}: +{amount(proven.rise)} in "
                f"{proven.took_s:.0f} s, and no graph explains it.{_OF_A_CACHE if fills else ''}"
            ),
            suggestion="Look for a list, dict or cache of tensors that only grows.",
            bytes_per_iteration=rate,
            eta_iterations=self.eta_iterations(),
            size=proven.rise,
        )

    def _forecast(self, trend: _Trend, left_s: float) -> Case:
        eta = self.eta_iterations()
        when = plural(eta, "iteration") if eta is not None else f"{left_s:.0f} s"
        return Case(
            kind="oom-forecast",
            level="critical",
            since=trend.first.iteration,
            message=(
                f"{self._name} will be full in about {when} ({left_s:.0f} s) at this rate, "
                "and no graph explains it."
            ),
            suggestion="Save a checkpoint now; look for a container of tensors that only grows.",
            bytes_per_iteration=trend.per_iteration,
            eta_iterations=eta,
            size=trend.last.used_bytes,
        )

    def _left_s(self, trend: _Trend) -> float | None:
        if self._limit is None or self._used is None or trend.per_s <= 0:
            return None
        return max(self._limit - self._used, 0) / trend.per_s

    def eta_iterations(self) -> int | None:
        """Iterations until the limit is reached, at the rate of the present climb."""
        rate = self.slope_per_iteration
        if not rate or rate <= 0 or self._limit is None or self._used is None:
            return None
        return int(max(self._limit - self._used, 0) / rate)


def _needed(why: Answer | None, trend: _Trend) -> int:
    """How many times the patience."""
    if why is None or why.explains_bytes is None or why.explains_bytes >= _EXPLAINED * trend.rise:
        return 1
    return _UNEXPLAINED


def _steady(points: list[_Point]) -> _Trend | None:
    """The climb over these points, if each span's low lies above the last and it keeps its pace."""
    length = len(points) // _SPANS
    lows = [
        min(points[i * length : (i + 1) * length], key=lambda point: point.used_bytes)
        for i in range(_SPANS)
    ]
    rises = [after.used_bytes - before.used_bytes for before, after in pairwise(lows)]
    if min(rises) <= 0 or points[-1].at <= points[0].at:
        return None
    early, late = _Trend(lows[0], lows[_SPANS // 2 - 1]), _Trend(lows[-_SPANS // 2], lows[-1])
    return _Trend(lows[0], lows[-1]) if 2 * late.per_s >= early.per_s else None


class Memories:
    """The process and each device, each with its own climb."""

    def __init__(self, *, thorough: bool = False) -> None:
        self._patience = _THOROUGH if thorough else _LIVE
        self.process = Climb("Process memory", self._patience)
        self.devices: dict[str, Climb] = {}

    def memory(self, sample: wire.Memory) -> None:
        """Takes one look at memory into account."""
        self.process.memory(
            sample.at,
            sample.iteration,
            sample.rss_bytes,
            sample.limit_bytes,
            sample.limit_used_bytes,
        )
        for device in sample.devices:
            if device.allocated_bytes is None:
                continue
            climb = self.devices.setdefault(device.uuid, Climb("Device memory", self._patience))
            climb.memory(
                sample.at,
                sample.iteration,
                device.allocated_bytes,
                device.total_bytes,
                device.used_bytes,
            )

    @property
    def all(self) -> list[Climb]:
        """Devices first: they are the ones that run full."""
        return [*self.devices.values(), self.process]
