"""Which part of a job's past the plots show, and where the crosshair stands.

Owns what zooming and scrolling mean. Must not know plots, jobs or widgets. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from gradwatch.tui.scale import Range

_LEAST: Final = 10.0
"""Iterations; of fewer a plot says no more than the list of backwards."""
_STEP: Final = 2.0
"""By which a key zooms."""
_QUARTER: Final = 0.25
"""Of what is shown, by which a key scrolls."""
_CROSS_STEPS: Final = 60
"""Key presses that take the crosshair from one end to the other."""


@dataclass(frozen=True, slots=True)
class Zoom:
    """All of the past and what is still to come, unless told otherwise."""

    width: float | None = None
    """Iterations shown; None for all."""
    end: float | None = None
    """The newest iteration shown; None follows the job."""
    cross: float | None = None
    """The iteration whose values are told; None for the newest ones."""

    @property
    def is_whole(self) -> bool:
        """Whether everything is shown."""
        return self.width is None

    def shown(self, whole: Range) -> Range:
        """What is in sight of all there is."""
        if self.width is None:
            return whole
        width = min(self.width, whole[1] - whole[0])
        end = whole[1] if self.end is None else min(max(self.end, whole[0] + width), whole[1])
        return end - width, end

    def zoomed(self, steps: int, whole: Range) -> Zoom:
        """Nearer or, with negative steps, farther; what the crosshair is on stays where it is."""
        first, last = self.shown(whole)
        width = max((last - first) * _STEP**-steps, min(_LEAST, whole[1] - whole[0]))
        if width >= whole[1] - whole[0]:
            return Zoom(cross=self.cross)
        fixed = last if self.cross is None else min(max(self.cross, first), last)
        end = fixed + (last - fixed) * width / ((last - first) or 1.0)
        return replace(self, width=width, end=None if end >= whole[1] else end)

    def spanning(self, one: float, other: float, whole: Range) -> Zoom:
        """From one iteration to the other, or a little more where that is too near."""
        width = max(abs(other - one), min(_LEAST, whole[1] - whole[0]))
        end = min(max(one, other, whole[0] + width), whole[1])
        return Zoom(width, None if end >= whole[1] else end)

    def moved(self, steps: int, whole: Range) -> Zoom:
        """The crosshair, if there is one, goes left or right; else what is shown does."""
        first, last = self.shown(whole)
        if self.cross is None:
            return self._scrolled(steps * _QUARTER * (last - first), whole)
        step = max(1.0, round((last - first) / _CROSS_STEPS))
        at = min(max(round(self.cross) + steps * step, whole[0]), whole[1])
        over = min(at - first, 0.0) + max(at - last, 0.0)
        return replace(self._scrolled(over, whole) if over else self, cross=at)

    def _scrolled(self, by: float, whole: Range) -> Zoom:
        if self.width is None:
            return self
        end = max(self.shown(whole)[1] + by, whole[0] + self.width)
        return replace(self, end=None if end >= whole[1] else end)
