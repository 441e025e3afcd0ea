"""Which columns a table shows at a width, and one row of it as a line.

Owns the fitting of columns and cells. Must not know what stands in them, nor widgets. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len

from gradwatch.tui.lines import Line, cut, cut_front, cut_middle, cut_words, width_of

_GAP: Final = "  "
_EDGE: Final = 1
"""Cells left free at either end of a row."""
_SPARE: Final = 2
"""Rank from which on a column can be done without, where others want room."""
_CUTS: Final = {"head": cut, "ends": cut_middle, "one": cut_front, "words": cut_words}


@dataclass(frozen=True, slots=True)
class Column:
    """One column; those with the highest `rank` are left out first where room is scarce, those
    without a width always.
    """

    title: str
    width: int
    right: bool = False
    grow: int = 0
    """Its part of the room that is left over."""
    most: int = 10_000
    """Cells from which on more room is of no use: what belongs together would stand far apart."""
    rank: int = 0
    wants: int = 0
    """Cells that it gets before columns are shown that can be done without."""
    keeps: Literal["head", "ends", "one", "words"] = "head"
    """What must be seen of a text that is too long: both ends of a name, whole words; of pieces
    that say the same in fewer and fewer words, the first that fits."""


def widths(columns: Sequence[Column], room: int) -> list[int]:
    """Cells for each column, 0 for one that is left out."""
    room -= 2 * _EDGE
    shown = _shown(columns, room)
    out = [0] * len(columns)
    for i in shown:
        out[i] = min(columns[i].width, max(room, 0))
    left = max(0, room - _taken(columns, shown))
    for i in shown:
        wanted = min(_wanted(columns[i]), left)
        out[i], left = out[i] + wanted, left - wanted
    while growing := [i for i in shown if columns[i].grow and out[i] < columns[i].most]:
        parts = sum(columns[i].grow for i in growing)
        extra = {i: left * columns[i].grow // parts for i in growing}
        for i in growing:
            extra[i] = min(extra[i], columns[i].most - out[i])
            out[i] += extra[i]
        left -= sum(extra.values())
        if not any(extra.values()):
            break
    return out


def _shown(columns: Sequence[Column], room: int) -> list[int]:
    """Which of them there is room for."""
    shown = [i for i, column in enumerate(columns) if column.width]
    while len(shown) > 1:
        last = max(shown, key=lambda i: (columns[i].rank, i))
        wanted = sum(_wanted(columns[i]) for i in shown) if columns[last].rank >= _SPARE else 0
        if _taken(columns, shown) + wanted <= room:
            break
        shown.remove(last)
    return shown


def _wanted(column: Column) -> int:
    """Cells beyond its width."""
    return max(column.wants - column.width, 0)


def column_at(columns: Sequence[Column], room: int, x: int) -> int | None:
    """The column that stands at this cell of a row."""
    end = _EDGE
    for index, width in enumerate(widths(columns, room)):
        end += width + len(_GAP) if width else 0
        if width and x < end:
            return index
    return None


def row(columns: Sequence[Column], room: int, cells: Sequence[Line]) -> Line:
    """The cells side by side; exactly `room` wide."""
    line: Line = [(" " * min(_EDGE, room), "text")]
    fitted = zip(columns, widths(columns, room), cells, strict=True)
    for column, width, cell in fitted:
        if width:
            line += [(_GAP, "text")] if len(line) > 1 else []
            line += _cell(cell, width, column)
    missing = room - width_of(line)
    return [*line, (" " * missing, "text")] if missing > 0 else line


def _cell(cell: Line, width: int, column: Column) -> Line:
    out: Line = []
    room = width
    if column.keeps == "one":
        cell = [next((each for each in cell if cell_len(each[0]) <= width), *cell[-1:])]
    for text, ink in cell:
        part = _CUTS[column.keeps](text, room)
        out.append((part, ink))
        room -= width_of(out[-1:])
        if part != text:
            break
    padding = [(" " * room, "text")] if room > 0 else []
    return [*padding, *out] if column.right else [*out, *padding]


def _taken(columns: Sequence[Column], shown: Sequence[int]) -> int:
    return sum(columns[i].width for i in shown) + len(_GAP) * (len(shown) - 1)
