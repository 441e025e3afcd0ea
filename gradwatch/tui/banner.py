"""The lines at the top of a job's screen: who it is, how it is, and the verdict.

Owns how these are laid out in a given width. Must not know widgets or colours. Pure.
"""

from __future__ import annotations

import re
from typing import Final

from gradwatch.model import Job
from gradwatch.tui import units
from gradwatch.tui.lines import Line, cut, cut_front, fit, spread, width_of, wrap
from gradwatch.tui.overview import state_piece
from gradwatch.tui.verdict import GLYPHS, Verdict
from gradwatch_agent.wire import Finding

_DOT: Final = (" · ", "muted")
ZOOMED: Final[Line] = [(" ZOOMED ", "paused"), (" ", "text")]
PAUSED: Final[Line] = [(" PAUSED ", "paused"), (" ", "text")]
_MARGIN: Final = 2
_LABEL_CELLS: Final = 9
"""`held by` and a gap."""

_MESSAGE_CELLS: Final = 300
"""Room for the sentence: three or four rows of a usual terminal."""
_MESSAGE_ROWS: Final = 6
_HOLDER_PART: Final = 3
"""Of a row the holder takes no more than one part in this many."""
_OFF_CELLS: Final = 24
_CHANGE_ROWS: Final = 2
_END_ROWS: Final = 2
_END_CELLS: Final = 150
"""Room for how it ended: two rows of a usual terminal, three of a narrow one."""
_BRACKETED: Final = re.compile(r" \([^()]*\)")
_CARD: Final = re.compile(r"^NVIDIA |[ -]\d+ ?GB.*")
"""What is left out of a card's name: its memory has a plot of its own."""
_TALL: Final = 30
"""Rows of a terminal from which on the title gets room around it."""
_BRAND_FROM: Final = 100
"""Columns from which on the program says its own name."""


def header(job: Job, *, paused: bool) -> tuple[list[Line], Line]:
    """Who the job is, word by word for the left end; how it does, for the right one."""
    right: Line = [(" ", "text")]
    for piece in _pulse(job):
        right += [piece, _DOT]
    right += [state_piece(job), (" ", "text")]
    return _identity(job), [*right, *PAUSED] if paused else right


def header_line(words: list[Line], right: Line, width: int) -> Line:
    """Both ends in one line; of the left one as many words as there is room for."""
    brand: Line = [(" gradwatch  ", "muted")] if width >= _BRAND_FROM else []
    left = [*brand, (" ", "text"), *words[0]]
    for word in words[1:]:
        longer = [*left, _DOT, *word]
        left = longer if width_of([*longer, *right]) <= width else left
    return spread(left, right, width)


def _identity(job: Job) -> list[Line]:
    words: list[Line] = [[(job.name or job.key, "strong")]]
    if (hello := job.hello) is None:
        return words
    known = (
        hello.host,
        f"rank {hello.rank} of {hello.world_size}" if hello.world_size > 1 else "",
        f"pid {hello.pid}",
        _devices(job),
        f"torch {hello.torch}" if hello.torch else "",
    )
    return words + [[(word, "text")] for word in known if word]


def _devices(job: Job) -> str:
    """A process holds memory on them only once it trains: they come with the looks at memory."""
    devices = job.memory[-1].devices if len(job.memory) else ()
    if not devices:
        return ""
    first, more = devices[0], f" +{len(devices) - 1}" if len(devices) > 1 else ""
    return f"cuda:{first.index} {_CARD.sub('', first.name)}{more}"


def _pulse(job: Job) -> Line:
    """Speed, and what is not as it should be between us and the job."""
    pieces: Line = []
    if job.state == "live" and (rate := job.rate_per_s):
        pieces.append((f"{units.rate(rate)} it/s", "text"))
    if job.beat and job.beat.share:
        pieces.append((f"agent {units.share(job.beat.share)}", "muted"))
    lost = job.trouble.lost + (job.beat.lost if job.beat else 0)
    for count, what in (
        (lost, "lost"),
        (job.trouble.garbage, "unreadable"),
        (job.trouble.newer, "too new"),
    ):
        if count:
            pieces.append((f"{units.count(count)} {what}", "warning"))
    if job.beat and job.beat.off:
        pieces.append((cut(f"off: {', '.join(job.beat.off)}", _OFF_CELLS), "warning"))
    return pieces


def more(job: Job, finding: Finding | None) -> str:
    """How many findings there are beside the one in the verdict, whether that is told no more,
    and how to learn more of it.
    """
    count = len(job.open_findings)
    words = [f"{count} findings" if count > 1 else ""]
    words += [job.hushed(finding) or "", "enter: why"] if finding else []
    return " · ".join(filter(None, words))


def title_lines(verdict: Verdict, aside: str, width: int, screen_rows: int) -> list[Line]:
    """The title on its bar."""
    bar, note = f"bar-{verdict.level}", f"note-{verdict.level}"
    name = (f" {GLYPHS[verdict.level]} {verdict.title}   ", bar)
    right = [(f" {aside} ", note)] if aside else []
    room = width - width_of([name, *right])
    whens: list[Line] = [[(verdict.when, note)], [(verdict.when.partition(",")[0], note)], []]
    left = [name, *next(when for when in whens if width_of(when) <= max(room, 0))]
    # What `spread` fills in is given the bar's own ink, so that the bar is unbroken.
    title = [(t, ink if ink in (bar, note) else note) for t, ink in spread(left, right, width)]
    blank: Line = [(" " * width, note)]
    return [blank, title, blank] if screen_rows >= _TALL else [title]


def verdict_lines(verdict: Verdict, aside: str, width: int, screen_rows: int) -> list[Line]:
    """The title on its bar, the sentence under it, then where, who and what to change."""
    lines = title_lines(verdict, aside, width, screen_rows)
    room = width - 2 * _MARGIN
    said = _said(verdict, room, _rows(room), is_tall=screen_rows >= _TALL)
    lines += [_indented(text, "strong", width) for text in said]
    if verdict.end and verdict.end != verdict.message:
        lines += [_indented(text, "warning", width) for text in _end(verdict.end, room)]
    return lines + _pointers(verdict, width)


def _said(verdict: Verdict, room: int, rows: int, *, is_tall: bool) -> list[str]:
    """The sentences; those that are not told already, and costs in time, only if they are not cut.
    The costs take no row from a low screen.
    """
    first, ahead = verdict.message, verdict.ahead
    said = _joined(room, rows + 1, first, verdict.facts, ahead)
    if len(said) > rows:
        return _joined(room, rows, first, ahead or verdict.facts)
    longer = _joined(room, rows + 1, first, verdict.facts, ahead, verdict.costs)
    return longer if len(longer) <= (rows if is_tall else len(said)) else said


def _joined(room: int, rows: int, *sentences: str) -> list[str]:
    return wrap(" ".join(filter(None, sentences)), room, rows)


def _pointers(verdict: Verdict, width: int) -> list[Line]:
    """Where, who, what to change: each with its label."""
    lines = []
    if verdict.place:
        holder = cut(verdict.holder, width // _HOLDER_PART)
        held: Line = [(f"  {verdict.label} ", "muted"), (holder, "code"), (" " * _MARGIN, "text")]
        right = held if holder else []
        code: Line = [("   ", "text"), (verdict.code, "code")]
        room = width - width_of([*_label("where"), *right])
        if width_of([(verdict.place, "text"), *code]) <= room:
            lines.append(spread([*_label("where"), (verdict.place, "text"), *code], right, width))
        else:
            place = cut_front(verdict.place, room)
            lines.append(spread([*_label("where"), (place, "text")], right, width))
            lines += [fit([*_label(""), code[1]], width)] if verdict.code else []
    elif verdict.holder:
        lines.append(fit([*_label(verdict.label), (verdict.holder, "code")], width))
    room = width - _MARGIN - _LABEL_CELLS - 1
    for number, text in enumerate(_change(verdict.change, room)):
        lines.append(fit([*_label("" if number else "change"), (text, "text")], width))
    return lines


def _end(end: str, room: int) -> list[str]:
    """How it ended; of an error that says much, the first sentence, without what is in brackets if
    that is still too much.
    """
    first = f"{end.partition('. ')[0].removesuffix('.')}."
    rows = max(_END_ROWS, -(-_END_CELLS // max(room, 1)))
    lengths = (end, first, _BRACKETED.sub("", first))
    fitting = (words for words in lengths if len(wrap(words, room, rows + 1)) <= rows)
    return wrap(next(fitting, lengths[-1]), room, rows)


def _change(change: str, room: int) -> list[str]:
    """The suggestion; where it is too long, without what else would do."""
    if len(wrap(change, room, _CHANGE_ROWS + 1)) > _CHANGE_ROWS:
        change = change.partition(";")[0]
    return wrap(change, room, _CHANGE_ROWS)


def _rows(room: int) -> int:
    return min(-(-_MESSAGE_CELLS // max(room, 1)), _MESSAGE_ROWS)


def _label(word: str) -> Line:
    return [(" " * _MARGIN + cut(word, _LABEL_CELLS).ljust(_LABEL_CELLS), "muted")]


def _indented(text: str, ink: str, width: int) -> Line:
    return fit([(" " * _MARGIN, ink), (text, ink)], width)
