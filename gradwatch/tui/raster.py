"""Dots into braille cells.

Owns columns of values, ranges of dots, and the grid of cells they are painted on. Must not
know axes, titles or textual. Pure, standard library only; the cost goes with the cells
drawn, plus one pass in C over the values.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, TypeGuard

from gradwatch.tui.scale import Range, Scale

Mark: TypeAlias = Literal["line", "dotted", "dashed", "solid", "sparse"]
"""`solid` and `sparse` fill from the bottom; the later one is painted over the earlier."""

GLYPHS: Final[dict[Mark, str]] = {
    "line": "⠤⠤", "dotted": "⠄⠄", "dashed": "╌╌", "solid": "⣿", "sparse": "⢕",
}  # fmt: skip
"""How a mark looks in a legend."""

_AREAS: Final = ("solid", "sparse")
_MASK: Final[dict[Mark, int]] = {
    "line": 0xFF, "dotted": 0x47, "dashed": 0xFF, "solid": 0xFF, "sparse": 0x95,
}  # fmt: skip
"""Which dots of a cell a mark may set: without colour, marks still look different."""

_LEFT: Final = (0x40, 0x04, 0x02, 0x01)
_RIGHT: Final = (0x80, 0x20, 0x10, 0x08)
"""Bits of the four dots in a cell's left and right column, from the bottom up."""
_COVERED: Final = tuple(
    tuple(tuple(sum(side[low : high + 1]) for high in range(4)) for low in range(4))
    for side in (_LEFT, _RIGHT)
)
"""By side, lowest and highest dot: the bits from the one to the other."""
_BRAILLE: Final = 0x2800
_RULE: Final = "┈"
_POST: Final = "┊"
_CROSS: Final = "│"
_DASH: Final = 3
"""Half columns of a dash, and of the gap behind it."""
_HUGE: Final = 1e300
"""Beyond it differences are infinite; no count, size or time is that big."""


def columns(
    xs: Sequence[float], ys: Sequence[float | None], span: Range, count: int
) -> list[Range | None]:
    """Lowest and highest value per column; between points a straight line, at a None a gap."""
    out: list[Range | None] = [None] * count
    if not xs:
        return out
    left = span[0]
    step = (span[1] - left) / count or 1.0
    first = max(0, math.floor((xs[0] - left) / step))
    last = min(count - 1, math.floor((xs[-1] - left) / step))
    at, beyond = bisect_left(xs, left), bisect_right(xs, span[1])
    for column in range(first, last + 1):
        is_last = column == count - 1
        end = beyond if is_last else bisect_left(xs, left + (column + 1) * step, at)
        if inside := ys[at:end]:
            out[column] = _extent(inside)
        elif 0 < end < len(xs):
            middle = left + (column + 0.5) * step
            out[column] = _between((xs[end - 1], ys[end - 1]), (xs[end], ys[end]), middle)
        at = end
    return out


def _extent(ys: Sequence[float | None]) -> Range | None:
    """From the lowest to the highest, None if none is known."""
    if None in ys:
        ys = [y for y in ys if _is_known(y)]
    known: Sequence[float] = ys  # type: ignore[assignment]
    if not known:
        return None
    low, high = min(known), max(known)
    if -_HUGE < low <= high < _HUGE:
        return low, high
    return _extent([y for y in known if _is_known(y)])


def _between(
    one: tuple[float, float | None], other: tuple[float, float | None], x: float
) -> Range | None:
    """On the straight line through two points."""
    (x0, y0), (x1, y1) = one, other
    if not (_is_known(y0) and _is_known(y1)):
        return None
    value = y0 + (y1 - y0) * (x - x0) / ((x1 - x0) or 1.0)
    return value, value


def _is_known(y: float | None) -> TypeGuard[float]:
    return y is not None and -_HUGE < y < _HUGE


def dot_ranges(
    pairs: Sequence[Range | None], scale: Scale, dots: int, mark: Mark
) -> list[tuple[int, int] | None]:
    """Lowest and highest dot per column: an area from the bottom, a line joined to the last."""
    out: list[tuple[int, int] | None] = []
    before: tuple[int, int] | None = None
    is_area, dot = mark in _AREAS, scale.dot
    for pair in pairs:
        if pair is None or (is_area and pair[1] <= 0):
            before = None
            out.append(None)
            continue
        high = dot(pair[1], dots)
        low = high if pair[0] == pair[1] else dot(pair[0], dots)
        if is_area:
            out.append((0, high))
            continue
        joined = (low, high)
        if before is not None:
            joined = min(low, before[1] + 1), max(high, before[0] - 1)
        before = (low, high)
        out.append(joined)
    return out


class Raster:
    """A grid of braille cells; rows are counted from the top."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._bits = [bytearray(width) for _ in range(height)]
        self._inks = [["muted"] * width for _ in range(height)]
        self._lines = [bytearray(width) for _ in range(height)]
        """Whether a line goes through a cell."""
        self._over: dict[tuple[int, int], str] = {}
        """Characters that stand in for empty cells."""

    def paint(self, ranges: Sequence[tuple[int, int] | None], mark: Mark, ink: str) -> None:
        """Sets the dots of each half column; an area takes away what it covers."""
        for column, dots in enumerate(ranges):
            is_gap = mark == "dashed" and column // _DASH % 2
            if dots is not None and not is_gap:
                self._paint_column(column, *dots, mark, ink)

    def _paint_column(self, column: int, low: int, high: int, mark: Mark, ink: str) -> None:
        x, is_right = column >> 1, column & 1
        covers, mask, is_area = _COVERED[is_right], _MASK[mark], mark in _AREAS
        for level in range(low >> 2, (high >> 2) + 1):
            covered = covers[max(low - 4 * level, 0)][min(high - 4 * level, 3)]
            at = self.height - 1 - level
            row = self._bits[at]
            kept = row[x] & ~covered if is_area else row[x]
            row[x] = kept | (covered & mask)
            self._lines[at][x] |= not is_area
            # A cell has one ink: a line's before an area's, else that of whoever has most of it.
            others = kept & covers[0][3]
            if not is_area or others.bit_count() < covered.bit_count():
                self._inks[at][x] = ink

    def rule(self, row: int, label: str, ink: str) -> None:
        """A horizontal line behind the curves, its label where the first room is."""
        free = [not bits for bits in self._bits[row]]
        text = {x: _RULE for x in range(self.width) if free[x]}
        for start in range(1, self.width - len(label)):
            if all(free[start : start + len(label)]):
                text |= {start + i: char for i, char in enumerate(label)}
                break
        for x, char in text.items():
            self._over[row, x] = char
            self._inks[row][x] = ink

    def post(self, column: int, glyph: str, ink: str) -> None:
        """A vertical line behind the curves, with a sign at its top; without one, the crosshair,
        which is behind lines alone: an area may fill all of the height.
        """
        if glyph:
            self._bits[0][column] = 0  # what happened is seen, whatever curve runs along the top
        for y in range(self.height):
            if not glyph and not self._lines[y][column]:
                self._bits[y][column] = 0
            if not self._bits[y][column]:
                self._over[y, column] = (glyph if y == 0 else _POST) if glyph else _CROSS
                self._inks[y][column] = ink

    def rows(self) -> list[list[tuple[str, str]]]:
        """Runs of cells of one ink, row by row."""
        return [self._runs(y) for y in range(self.height)]

    def _runs(self, y: int) -> list[tuple[str, str]]:
        runs: list[tuple[str, str]] = []
        for x, (bits, ink) in enumerate(zip(self._bits[y], self._inks[y], strict=True)):
            char = chr(_BRAILLE + bits) if bits else self._over.get((y, x), " ")
            if runs and runs[-1][1] == ink:
                runs[-1] = (runs[-1][0] + char, ink)
            else:
                runs.append((char, ink))
        return runs
