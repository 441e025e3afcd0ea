"""The y axis of a plot: where it begins, where it ends, what it leaves out.

Owns the choice of the ends and the way from a value to a dot. Must not know braille or
textual. Pure, standard library only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from gradwatch.tui.units import nice_step, nice_top

Range: TypeAlias = tuple[float, float]

_NEAR: Final = 2.5
"""A limit up to this many times the highest value is drawn; a farther one squashes the curve."""
_OUTLIER: Final = 4.0
"""A peak this many times above nearly all columns is cut, lest it flatten the curve."""
_NEARLY_ALL: Final = 0.95
_STILL: Final = 1.5
"""Values up to this many times above nearly all are drawn still: where a curve climbs to."""
_LEAST_SPAN: Final = 0.1
"""An axis that does not begin at 0 spans at least this share of its top: noise is no news."""
_FAR_UP: Final = 0.5
"""A curve that never falls below this share of the top may leave 0 out, if it is allowed to."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The axis from `bottom` to `top`; `peak` is the highest value there is."""

    bottom: float
    top: float
    peak: float

    def dot(self, value: float, dots: int) -> int:
        """The dot that stands for a value, 0 at the bottom; what is outside is at the edge."""
        part = (value - self.bottom) / ((self.top - self.bottom) or 1.0)
        return round(min(max(part, 0.0), 1.0) * (dots - 1))

    def row(self, value: float, rows: int) -> int:
        """The row of cells, 0 at the top."""
        return rows - 1 - self.dot(value, 4 * rows) // 4


def y_scale(
    found: Sequence[Sequence[Range | None]],
    limits: Sequence[float],
    *,
    from_zero: bool,
    cut_peaks: bool,
) -> Scale:
    """The axis for these columns of lowest and highest values, with limits that are near."""
    lows = [pair[0] for one in found for pair in one if pair is not None]
    highs = [pair[1] for one in found for pair in one if pair is not None]
    if not highs:
        return Scale(0.0, 1.0, 0.0)
    low, peak = min(lows), max(highs)
    high = _usual(highs, peak) if cut_peaks else peak
    high = max([high, *(limit for limit in limits if peak <= limit <= _NEAR * peak)])
    if from_zero or low < high * _FAR_UP:
        return Scale(min(low, 0.0), nice_top(high), peak)
    return _raised(low, high, peak)


def _usual(highs: list[float], peak: float) -> float:
    """The highest value but for rare outliers."""
    usual = sorted(highs)[int(_NEARLY_ALL * (len(highs) - 1))]
    if peak <= _OUTLIER * usual or usual <= 0:
        return peak
    return max(high for high in highs if high <= _STILL * usual)


def _raised(low: float, high: float, peak: float) -> Scale:
    """An axis for a curve far above zero, with round ends and a round middle."""
    step = nice_step(max(high - low, high * _LEAST_SPAN) / 2)
    bottom = math.floor(low / step) * step
    while bottom + 2 * step < high:
        step = nice_step(step * 1.01)
        bottom = math.floor(low / step) * step
    # What lies in the lower half alone is moved to the middle: it may as well go down.
    bottom -= step if high < bottom + step else 0.0
    return Scale(bottom, bottom + 2 * step, peak)
