"""Lines of inked text, cut and wrapped to a width in terminal cells.

Owns what a line is, the names of the inks, and how text is made to fit. Must not know
widgets or jobs. Whatever comes from a job passes `safe` here before it can reach a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias, get_args

from rich.cells import cell_len, set_cell_size

from gradwatch_agent.wire import clean

Ink: TypeAlias = Literal[
    "text", "strong", "muted", "faint", "title", "heading", "heading-focus", "cursor", "code",
    "paused", "axis", "limit",
    "good", "info", "warning", "critical", "quiet",
    "bar-good", "bar-info", "bar-warning", "bar-critical", "bar-quiet",
    "note-good", "note-info", "note-warning", "note-critical", "note-quiet",
    "keyword", "string", "number", "comment", "builtin", "marked", "added", "removed",
    "new", "stale", "saved", "held", "rss", "device", "time", "backward",
]  # fmt: skip
"""What a piece of text is, not how it looks: the colours stand in the .tcss."""

INKS: Final[tuple[Ink, ...]] = get_args(Ink)

Piece: TypeAlias = tuple[str, str]
"""Some text, and the name of its ink."""
Line: TypeAlias = list[Piece]

_ELLIPSIS: Final = "…"
_WIDEST: Final = 2
"""Cells of the widest character."""
_WORD: Final = re.compile(r"(?:`[^`\n]*`|\S)+")
"""What ends at a space; within backticks a space is code."""


def safe(text: str) -> str:
    """Text that cannot steer a terminal. Cleaned when decoded already; this is the last door."""
    return text if text.isprintable() else clean(text)


def width_of(line: Iterable[Piece]) -> int:
    """Cells the line takes."""
    return sum(cell_len(text) for text, _ in line)


def cut(text: str, width: int) -> str:
    """The text in at most `width` cells, an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + _ELLIPSIS if width > 0 else ""


def cut_front(text: str, width: int) -> str:
    """The same, the end kept."""
    if cell_len(text) <= width or width < 1:
        return cut(text, width)
    tail = text[-width:]
    while cell_len(tail) >= width:
        tail = tail[1:]
    return _ELLIPSIS + tail


def cut_middle(text: str, width: int) -> str:
    """The same, both ends kept."""
    half = width // 2
    if cell_len(text) <= width or not half:
        return cut(text, width)
    return cut(text, half) + cut_front(text, width - half + 1).removeprefix(_ELLIPSIS)


def cut_words(text: str, width: int) -> str:
    """The same, no word cut: a part of a name is none."""
    if cell_len(text) <= width or width < 1:
        return cut(text, width)
    kept = set_cell_size(text, width - 1).rpartition(" ")[0].rstrip()
    return f"{kept} {_ELLIPSIS}" if kept else _ELLIPSIS


def fit(line: Iterable[Piece], width: int) -> Line:
    """The line in exactly `width` cells, an ellipsis where it was cut."""
    out: Line = []
    room = max(width, 0)
    pieces = list(line)
    for at, (text, ink) in enumerate(pieces):
        if not room:
            break
        is_cut = cell_len(text) == room and any(more.strip() for more, _ in pieces[at + 1 :])
        part = cut(text + _ELLIPSIS, room) if is_cut else cut(text, room)
        out.append((part, ink))
        room = 0 if part != text else room - cell_len(part)
    missing = width - width_of(out)
    return [*out, (" " * missing, "text")] if missing > 0 else out


def folded(line: Iterable[Piece], width: int) -> list[Line]:
    """The whole of the line, in as many rows as it takes; broken anywhere, as code is."""
    rows: list[Line] = [[]]
    used = 0
    for text, ink in line:
        start = 0
        for at, character in enumerate(text):
            cells = cell_len(character)
            if used and used + cells > width:
                rows[-1] += [(text[start:at], ink)] if at > start else []
                rows.append([])
                start, used = at, 0
            used += cells
        rows[-1] += [(text[start:], ink)] if text[start:] else []
    return rows


def spread(left: Line, right: Line, width: int) -> Line:
    """`left` at the left and `right` at the right end; the left one gives way."""
    room = width - width_of(right)
    return fit([*fit(left, room), *right] if room > 0 else right, width)


def wrap(text: str, width: int, rows: int) -> list[str]:
    """The text broken at spaces into at most `rows` lines, an ellipsis where it was cut.

    Code between backticks is not broken where a line has room for it.
    """
    if width < _WIDEST or rows < 1:
        return []
    lines: list[str] = []
    for word in _words(text, width):
        for part in broken(word, width):
            if lines and cell_len(lines[-1]) + 1 + cell_len(part) <= width:
                lines[-1] += f" {part}"
            else:
                lines.append(part)
        if len(lines) > rows:
            return [*lines[: rows - 1], _cut_between(lines[rows - 1], width)]
    return lines


def _words(text: str, width: int) -> Iterator[str]:
    for word in _WORD.findall(text):
        yield from [word] if cell_len(word) <= width else word.split()


def _cut_between(text: str, width: int) -> str:
    """The text, of which more would follow, with an ellipsis for that: between words if it can."""
    if cell_len(text) + 2 <= width:
        return f"{text} {_ELLIPSIS}"
    words = text.rpartition(" ")[0]
    return f"{words} {_ELLIPSIS}" if words else cut(text + _ELLIPSIS, width)


def broken(word: str, width: int) -> list[str]:
    """The word, broken anywhere if it is longer than a line."""
    parts = []
    while cell_len(word) > width:
        parts.append(set_cell_size(word, width).rstrip())
        word = word[len(parts[-1]) :]
    return [*parts, word]
