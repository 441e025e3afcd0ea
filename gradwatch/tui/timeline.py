"""When each iteration of a job ended, and which one it was at a time.

Owns the way from one to the other, and a figure drawn over time. Must not know plots or
widgets. Pure.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

from gradwatch.model import Job
from gradwatch.tui import units
from gradwatch.tui.curves import Axis, Figure, XAxis


class Timeline:
    """Between two records time passes evenly, behind the last as fast as on the whole."""

    def __init__(self, numbers: Sequence[float], ends: Sequence[float], start: float) -> None:
        """`ends`: seconds since the epoch, like `start`; a clock may have been set back."""
        self._numbers = numbers
        self._seconds = list(accumulate((max(end - start, 0.0) for end in ends), max))
        self._known = dict(zip(numbers, self._seconds, strict=True))

    def seconds(self, number: float) -> float:
        """After the start, when that iteration ended."""
        known = self._known.get(number)
        return _between(self._numbers, self._seconds, number) if known is None else known

    def iteration(self, seconds: float) -> float:
        """The one that ended then."""
        return _between(self._seconds, self._numbers, seconds)


def timeline(job: Job) -> Timeline | None:
    """None before there are two moments to speak of."""
    records = list(job.iterations)
    if len(records) < 2 or records[-1].at <= records[0].at:
        return None
    start = min(job.hello.started if job.hello else records[0].at, records[0].at)
    return Timeline([r.number for r in records], [r.at for r in records], start)


def timed(figure: Figure, line: Timeline) -> Figure:
    """The same over time."""
    axes = [_timed(axis, line) for axis in figure.axes]
    span = line.seconds(figure.span[0]), line.seconds(figure.span[1])
    return replace(
        figure,
        span=span,
        left=axes[0],
        right=axes[1] if len(axes) > 1 else None,
        flags=tuple(replace(flag, x=line.seconds(flag.x)) for flag in figure.flags),
        cross=None if figure.cross is None else line.seconds(figure.cross),
        x=XAxis("time", partial(units.moment, span=span), line.iteration),
    )


def _timed(axis: Axis, line: Timeline) -> Axis:
    curves = (replace(c, xs=[line.seconds(x) for x in c.xs]) for c in axis.curves)
    return replace(axis, curves=tuple(curves))


def _between(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """On the straight line through the points beside `x`; beyond them, through both ends."""
    right = bisect_left(xs, x)
    left = right - 1
    if left < 0 or right >= len(xs):
        left, right = 0, len(xs) - 1
    run = (xs[right] - xs[left]) or 1.0
    near = left if right < len(xs) and x < xs[left] else right
    return ys[near] + (x - xs[near]) * (ys[right] - ys[left]) / run
