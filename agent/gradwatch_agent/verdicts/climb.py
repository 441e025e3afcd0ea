"""`memory-climb` and `oom-forecast`: memory that rises and rises, and when it is full. Pure.

Owns when a climb is told, and in which words. What a climb is, `trend` knows.
"""

from __future__ import annotations

from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.journal import Series
from gradwatch_agent.verdicts.case import Answer, Case, amount, plural
from gradwatch_agent.verdicts.trend import (
    EARLY,
    LIVE,
    SLIGHT,
    THOROUGH,
    Patience,
    Point,
    Trend,
    climbing,
)

_EXPLAINED: Final = 0.25
"""A container explains a climb if it makes this share of it: much of memory is not counted."""

_UNEXPLAINED: Final = 8
"""Times more patience with a climb that no container of the program's explains: allocators, pools
and libraries take memory for long before they settle."""

_OF_A_STORE: Final = (
    " A store that fills, or that is emptied now and then: it ends once it holds all that is asked "
    "for, or never."
)

_MAY_END: Final = " It is early to say: what is let go of at an epoch's end grows so, too."

_FORECAST_S: Final = 10.0
"""A forecast needs at least this long a look, in seconds."""

_SOON_S: Final = 300.0
"""Full within this time is worth an alarm."""

_FELT: Final = Patience(seconds=0.0, iterations=0, rise_bytes=16_000_000, share=0.02)
"""From here on a climb is worth a word where a graph explains it. Less than that anything makes:
an allocator, the agent's own journal."""

_CALM_S: Final = 120.0
"""Without a climb for this long, it is over."""


class Climb:
    """Watches one kind of memory; `name` is what the message calls it."""

    def __init__(self, name: str, patience: Patience = LIVE, early: Patience = EARLY) -> None:
        self._name = name
        self._patience, self._early = patience, early
        self._points: Series[Point] = Series(512, lambda _older, newer: newer)
        self._trend: Trend | None = None
        self._proven: Trend | None = None
        """The highest that was borne long enough, since it climbs: what each look shows of it
        varies, and is not to be told and taken back.
        """
        self._borne = 0
        """How many times the patience it was borne at the most; 0: no longer than early."""
        self._seen_at = 0.0
        self._limit: int | None = None
        self._used: int | None = None

    def memory(
        self, at: float, iteration: int, used_bytes: int, limit: int | None, against: int | None
    ) -> None:
        """One look. `against`: what counts against the limit, where it is more than `used`."""
        self._points.append(Point(at, iteration, used_bytes))
        self._limit, self._used = limit, against if against is not None else used_bytes
        trend = climbing(list(self._points))
        if trend is not None:
            self._trend, self._seen_at = trend, at
            self._bear(trend)
        elif self._trend is not None and at - self._seen_at > _CALM_S:
            self._trend = self._proven = None
            self._borne = 0

    def _bear(self, trend: Trend) -> None:
        for factor in (1, _UNEXPLAINED):
            if self._patience.times(factor).is_over(trend):
                self._borne = max(self._borne, factor)
        higher = self._proven is None or trend.rise > self._proven.rise
        if higher and self._early.is_over(trend):
            self._proven = trend

    def rose_since(self, iteration: int) -> bool:
        """Whether a good part of what is used now was not yet used in that iteration."""
        points = list(self._points)
        first = next((p for p in reversed(points) if p.iteration <= iteration), points[0])
        return points[-1].used_bytes - first.used_bytes >= _EXPLAINED * points[-1].used_bytes

    @property
    def slope_per_iteration(self) -> float | None:
        """Bytes per iteration of the present climb."""
        return self._trend.per_iteration if self._trend else None

    @property
    def is_high(self) -> bool:
        """Whether it is high enough to be told, if something explains it."""
        return self._trend is not None and self._proven is not None

    @property
    def is_felt(self) -> bool:
        """Whether it is more than noise, or memory will be full soon."""
        if self._trend is None:
            return False
        left_s = self._left_s(self._trend)
        return _FELT.is_over(self._trend) or (left_s is not None and left_s < _SOON_S)

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
        if proven is None:
            return None
        early = self._borne < _needed(why, proven)
        if early and not _is_made_by(why, proven):
            return None
        return self._told(trend, proven, why, early=early)

    def _told(self, trend: Trend, proven: Trend, why: Answer | None, *, early: bool) -> Case:
        """A climb. `early`: it has not been borne for long, but what grows is known."""
        rate = trend.per_iteration
        each = f", {amount(rate)} an iteration" if rate else ""
        fills = why is not None and why.fills
        word = _OF_A_STORE if fills else _MAY_END if early else ""
        return Case(
            kind="memory-climb",
            level="info" if word else "warning",
            since=proven.first.iteration,
            message=(
                f"{self._name} climbs steadily{each}: +{amount(proven.rise)} in "
                f"{proven.took_s:.0f} s, and no graph explains it.{word}"
            ),
            suggestion="Look for a list, dict or cache of tensors that only grows.",
            bytes_per_iteration=rate,
            eta_iterations=None if word else self.eta_iterations(),
            size=proven.rise,
        )

    def _forecast(self, trend: Trend, left_s: float) -> Case:
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

    def _left_s(self, trend: Trend) -> float | None:
        if self._limit is None or self._used is None or trend.per_s <= 0:
            return None
        return max(self._limit - self._used, 0) / trend.per_s

    def eta_iterations(self) -> int | None:
        """Iterations until the limit is reached, at the rate of the present climb."""
        rate = self.slope_per_iteration
        if not rate or rate <= 0 or self._limit is None or self._used is None:
            return None
        return int(max(self._limit - self._used, 0) / rate)


def _needed(why: Answer | None, trend: Trend) -> int:
    """How many times the patience."""
    unknown = why is None or why.explains_bytes is None
    return 1 if unknown or _is_made_by(why, trend) else _UNEXPLAINED


def _is_made_by(why: Answer | None, trend: Trend) -> bool:
    """Whether what was found to grow explains the climb."""
    return (
        why is not None
        and why.explains_bytes is not None
        and why.explains_bytes >= _EXPLAINED * trend.rise
    )


class Memories:
    """The process and each device, each with its own climb."""

    def __init__(self, *, thorough: bool = False) -> None:
        self._patiences = (THOROUGH, SLIGHT) if thorough else (LIVE, EARLY)
        self.process = Climb("Process memory", *self._patiences)
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
            climb = self.devices.setdefault(device.uuid, Climb("Device memory", *self._patiences))
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
