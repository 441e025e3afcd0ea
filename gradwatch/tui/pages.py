"""How the room below the verdict is divided between the curves and the lists.

Owns what stands beside and below what at which size, and when the lists get a page of their own.
Must not know widgets or textual. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias

Form: TypeAlias = tuple[tuple[int, ...], ...]
"""Rows of tiles, each by the parts of the width that they get."""

MIDDLE_FROM: Final = 78
WIDE_FROM: Final = 110
HUGE_FROM: Final = 160
"""Columns of the terminal. A middle one has room for the keys that matter, the smallest wide one
for three lists side by side.
"""

_CHART_ROWS: Final = 6
"""The least of a curve beside lists: title, four rows, x axis."""
_ALONE_ROWS: Final = 5
"""The least where the curves have a page of their own."""
_GAP: Final = 1
_SIDE: Final = (7, 9)
_TWO: Final = (10, 14)
_STACK: Final = (18, 24)
"""Rows of lists, with the gap above: the least beside curves on one page, and what they want. Side
by side; in two rows; below each other.
"""
_FINDINGS_CELLS: Final = 30

_SQUARE: Final[Form] = ((1, 1), (1, 1))
_COLUMN: Final[Form] = ((1,), (1,), (1,), (1,))


@dataclass(frozen=True, slots=True)
class Pages:
    """`gap`: rows between curves and lists; 0 where the lists are a page of their own."""

    plots: int
    gap: int
    lists: int
    plots_form: Form
    lists_form: Form


def pages(columns: int, rows: int) -> Pages:
    """For a terminal of so many columns, and the rows that are left of it."""
    one = _COLUMN if columns < MIDDLE_FROM and rows >= _needed(_COLUMN, _STACK) else _SQUARE
    form = _lists_form(columns, stacked=one is _COLUMN)
    room = {1: _SIDE, 2: _TWO, 3: _STACK}[len(form)]
    if rows < _needed(one, room):
        low = max(rows, len(one) * _ALONE_ROWS)
        return Pages(low, 0, max(rows, room[0] - _GAP), one, form)
    plots = max(min(rows * 3 // 5, rows - room[1]), len(one) * _CHART_ROWS)
    return Pages(plots, _GAP, rows - plots - _GAP, one, form)


def _needed(plots: Form, lists: tuple[int, int]) -> int:
    return len(plots) * _CHART_ROWS + lists[0]


def _lists_form(columns: int, *, stacked: bool) -> Form:
    """Findings, nodes by type, backward passes."""
    if columns >= HUGE_FROM:
        return ((4, 4, 5),)
    if columns >= WIDE_FROM:
        rest = columns - _FINDINGS_CELLS - 2
        return ((12 * _FINDINGS_CELLS, 5 * rest, 7 * rest),)
    return ((1,), (1,), (1,)) if stacked else ((1, 1), (1,))


def divided(cells: int, parts: Sequence[int], gutter: int) -> list[tuple[int, int]]:
    """Start and length of each part; together with the gutters all of the cells."""
    free = max(cells - gutter * (len(parts) - 1), 0)
    ends = [free * upto // sum(parts) for upto in accumulate(parts)]
    starts = [0, *ends[:-1]]
    pairs = enumerate(zip(starts, ends, strict=True))
    return [(start + number * gutter, end - start) for number, (start, end) in pairs]
