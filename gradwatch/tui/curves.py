"""What a plot is asked to show: curves, the scale they share, limits.

Owns only these records. Must not know cells, jobs or textual. Pure, standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gradwatch.tui import units
from gradwatch.tui.raster import Mark
from gradwatch.tui.scale import Range


@dataclass(frozen=True, slots=True)
class Curve:
    """Values over rising `xs`; None is a gap."""

    name: str
    """In the legend."""
    ink: str
    xs: Sequence[float]
    ys: Sequence[float | None]
    mark: Mark = "line"
    now: str = ""
    """The newest value in words, for the legend."""
    own: Sequence[float | None] = ()
    """The values themselves, where `ys` are stacked on those of another curve."""
    brief: str = ""
    """`now` in fewer words, where there is no room for all."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that happened in an iteration."""

    x: float
    glyph: str
    ink: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A height that must not be reached. Drawn if it is near."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Axis:
    """Curves that share one scale."""

    curves: tuple[Curve, ...] = ()
    word: Callable[[float, int], str] = units.whole_tick
    """A height in words, to so many digits."""
    limits: tuple[Limit, ...] = ()
    from_zero: bool = True
    cut_peaks: bool = False


@dataclass(frozen=True, slots=True)
class XAxis:
    """What the figures along the x axis are."""

    name: str = "iteration"
    word: Callable[[float], str] = units.whole
    iteration: Callable[[float], float] = float
    """The one that an x stands for."""


@dataclass(frozen=True, slots=True)
class Figure:
    """All that one plot shows."""

    title: str
    short: str
    """The title where room is scarce."""
    span: Range
    """Left and right end of the x axis."""
    left: Axis
    right: Axis | None = None
    """Curves with a scale of their own."""
    flags: tuple[Flag, ...] = ()
    cross: float | None = None
    """Where the crosshair stands."""
    note: str = ""
    """Said in place of the curves when there are none."""
    x: XAxis = XAxis()
    end: str = ""
    """What the right end is called, where it is not the newest."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """One or two."""
        return (self.left, self.right) if self.right else (self.left,)
