"""Curves as rows of braille cells, with axes and a legend.

Owns how the rows of a figure are put together: title, labels, curves, limits.
Must not know textual, jobs or what the curves mean. Pure, standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from gradwatch.tui.curves import Axis, Figure
from gradwatch.tui.raster import GLYPHS, Raster, columns, dot_ranges
from gradwatch.tui.scale import Range, Scale, y_scale

Piece: TypeAlias = tuple[str, str]
"""Some text, and the name of its ink."""
Row: TypeAlias = list[Piece]

LABEL_CELLS: Final = 7
"""Room for `1.25 GB`; the same for every plot, so that they stand aligned."""

_AXIS_CELLS: Final = LABEL_CELLS + 2
_FRAME_ROWS: Final = 2
"""The title above and the x axis below."""
_LEAST_CELLS: Final = 4
"""Narrower than this a curve says nothing."""
_THREE_LABELS_FROM: Final = 4
"""Rows."""


def draw(figure: Figure, width: int, height: int) -> list[Row]:
    """Exactly `height` rows of exactly `width` cells."""
    cells, rows = _cells(figure, width), height - _FRAME_ROWS
    if cells < _LEAST_CELLS or rows < 1:
        return [_blank(width) for _ in range(height)]
    found = [[columns(c.xs, c.ys, figure.span, 2 * cells) for c in a.curves] for a in figure.axes]
    if not any(pair for one in found for pairs in one for pair in pairs):
        return _empty(figure, width, height)
    raster = Raster(cells, rows)
    scales = [_paint(raster, *pair) for pair in zip(figure.axes, found, strict=True)]
    for flag in figure.flags:
        if (column := _column(flag.x, figure.span, cells)) is not None:
            raster.post(column, flag.glyph, flag.ink)
    cross = None if figure.cross is None else _column(figure.cross, figure.span, cells)
    if cross is not None:
        raster.post(cross, "", "strong")
    body = _labelled(figure.axes, scales, raster.rows())
    below = _ends(figure, cells, width)
    if cross is not None:
        below = _crossed(figure, cross, cells, width)
    return [_title(figure, scales[0], width), *body, below]


def _cells(figure: Figure, width: int) -> int:
    """What the axes leave for the curves."""
    return width - _AXIS_CELLS * len(figure.axes)


def iteration_at(figure: Figure, width: int, x: int) -> float | None:
    """What stands above a cell of a plot so wide; None beside the curves."""
    cells = _cells(figure, width)
    at = x - _AXIS_CELLS
    if not 0 <= at < cells:
        return None
    first, last = figure.span
    return round(figure.x.iteration(first + (last - first) * (at + 0.5) / cells))


def _column(x: float, span: Range, cells: int) -> int | None:
    """The cell above which an iteration stands; None if it is out of sight."""
    if not span[0] <= x <= span[1]:
        return None
    return min(int((x - span[0]) / ((span[1] - span[0]) or 1.0) * cells), cells - 1)


def _crossed(figure: Figure, column: int, cells: int, width: int) -> Row:
    """The x axis with what is under the crosshair; the ends as far as it leaves room."""
    first, last, here = map(figure.x.word, (*figure.span, figure.cross or 0.0))
    word = f" {figure.x.name} {here} "[: max(cells, 0)]
    at = min(max(column - len(word) // 2, 0), cells - len(word))
    left = (first if len(first) < at else "").ljust(at)
    room = cells - at - len(word)
    right = (last if len(last) < room else "").rjust(room)
    row = [(" " * _AXIS_CELLS + left, "axis"), (word, "strong"), (right, "axis")]
    return [*row, (" " * (width - _AXIS_CELLS - cells), "axis")]


def _paint(raster: Raster, axis: Axis, found: list[list[Range | None]]) -> Scale:
    """Puts the curves of one axis on the raster, and its limits where they are near."""
    limits = [limit.value for limit in axis.limits]
    scale = y_scale(found, limits, from_zero=axis.from_zero, cut_peaks=axis.cut_peaks)
    for curve, pairs in zip(axis.curves, found, strict=True):
        dots = dot_ranges(pairs, scale, 4 * raster.height, curve.mark)
        raster.paint(dots, curve.mark, curve.ink)
    for limit in axis.limits:
        if limit.value <= scale.top:
            raster.rule(scale.row(limit.value, raster.height), f" {limit.name} ", "limit")
    return scale


def _labelled(axes: Sequence[Axis], scales: Sequence[Scale], body: list[Row]) -> list[Row]:
    """The rows between their axes; where there are two, each has the ink of its curve."""
    inks = [axis.curves[0].ink if len(axes) > 1 else "axis" for axis in axes]
    out = []
    for at, row in enumerate(body):
        words = [_label(*pair, at, len(body)) for pair in zip(axes, scales, strict=False)]
        left = (f"{words[0]:>{LABEL_CELLS}} {'┤' if words[0] else '│'}", inks[0])
        right = [
            (f"{'├' if word else '│'} {word:<{LABEL_CELLS}}", ink)
            for word, ink in zip(words[1:], inks[1:], strict=True)
        ]
        out.append([left, *row, *right])
    return out


def spark(values: Sequence[float | None], width: int, ink: str) -> Row:
    """A tiny history, one row high, from 0 to its highest value, which is at the top: what is flat
    looks the same whatever its height.
    """
    found = columns(range(len(values)), values, (0, max(len(values) - 1, 1)), 2 * width)
    raster = Raster(width, 1)
    peak = max((pair[1] for pair in found if pair), default=0.0)
    raster.paint(dot_ranges(found, Scale(0.0, peak, peak), 4, "line"), "line", ink)
    return raster.rows()[0]


def _empty(figure: Figure, width: int, height: int) -> list[Row]:
    note = figure.note[: width - _AXIS_CELLS].ljust(width - _AXIS_CELLS)
    rows = [_blank(width) for _ in range(height)]
    rows[0] = [(figure.short[:width].ljust(width), "title")]
    rows[height // 2] = [(" " * _AXIS_CELLS, "muted"), (note, "muted")]
    return rows


def _blank(width: int) -> Row:
    return [(" " * max(width, 0), "muted")]


def _title(figure: Figure, scale: Scale, width: int) -> Row:
    """The title at the left, the legend at the right: each in as many words as fit."""
    titles = (figure.title, figure.short, figure.short.rpartition(" ")[2])
    peak = f" peak {figure.left.word(scale.peak, 2)}" if scale.peak > scale.top else ""
    for legend in _legends(figure):
        if len(figure.short) + _taken(legend) + len(peak) < width:
            legend.append((peak, "muted"))
        room = width - _taken(legend)
        if title := next((title for title in titles if len(title) <= room), ""):
            return [(title.ljust(room), "title"), *legend]
    return _cut([(titles[-1], "title"), *legend], width)


def _legends(figure: Figure) -> Iterator[Row]:
    """Mark, name and newest value of each curve, and which of two axes is its; then shorter ones,
    where there is no room.
    """
    named = [curve for axis in figure.axes for curve in axis.curves]
    shorter = [replace(curve, now=curve.brief or curve.now) for curve in named]
    right = figure.right.curves[0] if figure.right else None
    placed = [replace(c, name=f"{c.name} (right)") if c is right else c for c in named]
    for curves in (placed, named, shorter, [curve for curve in shorter if curve.now]):
        legend: Row = []
        for curve in curves:
            legend += [(f" {GLYPHS[curve.mark]}", curve.ink), (f" {curve.name}", "muted")]
            legend += [(f" {curve.now}", "text")] if curve.now else []
        yield legend


def _taken(row: Row) -> int:
    return sum(len(text) for text, _ in row)


def _cut(row: Row, width: int) -> Row:
    """The row, not wider than asked."""
    out: Row = []
    for text, ink in row:
        out.append((text[:width], ink))
        width -= len(text[:width])
    return out if width <= 0 else [*out, (" " * width, "muted")]


def _label(axis: Axis, scale: Scale, row: int, rows: int) -> str:
    """What stands beside a row: top, bottom and middle in words, less where it is low; a middle
    that reads like the bottom (half a byte) is not told.
    """
    digits = 2 if scale.bottom == 0 else 3
    bottom = axis.word(scale.bottom, digits)
    word = ""
    if row == 0:
        word = axis.word(scale.top, digits)
    elif row == rows - 1:
        word = bottom
    elif row == rows // 2 and rows >= _THREE_LABELS_FROM:
        middle = axis.word((scale.bottom + scale.top) / 2, digits)
        word = middle if middle != bottom else ""
    return word[:LABEL_CELLS]


def _ends(figure: Figure, cells: int, width: int) -> Row:
    """The x axis: first, middle and newest, as far as they do not touch."""
    ends = figure.span
    first, middle, last = map(figure.x.word, (ends[0], sum(ends) / 2, ends[1]))
    name = figure.end or figure.x.name
    newest = f"{name} {last}" if len(f"{first} {name} {last}") < cells else last
    line = first.ljust(cells)
    at = (cells - len(middle)) // 2
    if first != middle != last and len(first) < at < cells - len(newest + middle) - 1:
        line = line[:at] + middle + line[at + len(middle) :]
    if len(first) + len(newest) < cells:
        line = line[: cells - len(newest)] + newest
    return [((" " * _AXIS_CELLS + line[:cells]).ljust(width), "axis")]
