"""A finding told in full: what, where, by which way, who, how much, and what to change.

Owns the order and the layout in a given width. Must not know widgets or colours. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len

from gradwatch.model import Job
from gradwatch.tui import facts, units
from gradwatch.tui.change import Change, change_of
from gradwatch.tui.code import listing
from gradwatch.tui.lines import Line, broken, fit, safe, width_of, wrap
from gradwatch.tui.verdict import title_of
from gradwatch.tui.way import tree
from gradwatch_agent.verdicts.case import adds_up, holder_label
from gradwatch_agent.wire import Finding

_MARGIN: Final = 2
_LABEL_CELLS: Final = 10
_SENTENCE_ROWS: Final = 12
"""The whole of what an agent says; a longer text is not one of its sentences."""
_CODE_ROWS: Final = 6
_SIDE_BY_SIDE: Final = 110
"""Columns from which on the way stands beside the source."""
_WAY_CELLS: Final = 60
_SOURCE_CELLS: Final = 100
"""The widest the source gets: what stands beside it must not drift away."""
_TALL: Final = 30
"""Rows of a terminal that has room for all source lines; a lower one shows some, and the change."""
_AROUND: Final = (3, 7)
"""Source lines above and below on a low and on a tall terminal."""
_PLAIN_CELLS: Final = 100
"""Width of the text that is copied or saved."""


def page(job: Job, finding: Finding, now: float, width: int, screen_rows: int) -> list[Line]:
    """Everything below the title."""
    blank: Line = [(" " * width, "text")]
    around = _AROUND[screen_rows >= _TALL]
    wide = width >= _SIDE_BY_SIDE
    parts = (
        [_indented(text, "strong", width) for text in _wrapped(finding.message, width)],
        _beside(job, finding, width, around) if wide else _source(job, finding, width, around),
        _change(change_of(finding), width),
        [line for entry in _facts(job, finding, now) for line in _entry(*entry, width)],
        [] if wide else _way(job, finding, width),
    )
    return [line for part in parts if part for line in (*part, blank)]


def plain(job: Job, finding: Finding, now: float) -> str:
    """The same as text, to be sent to somebody."""
    title = f"{title_of(finding)} ({finding.kind}, {finding.level}) · {_whose(job, finding)}"
    lines = page(job, finding, now, _PLAIN_CELLS, _TALL)
    rows = [title, *("".join(text for text, _ in line).rstrip() for line in lines)]
    return "\n".join([*map(safe, rows), ""])


def _whose(job: Job, finding: Finding) -> str:
    rank = f" rank {finding.rank}" if job.hello and job.hello.world_size > 1 else ""
    return f"{job.name or job.key} on {finding.host}{rank}, pid {finding.pid}"


def _source(job: Job, finding: Finding, width: int, around: int) -> list[Line]:
    place = facts.place_of(job, finding.file, finding.line)
    title = [_indented(place, "title", width)] if place else []
    return title + listing(finding, width, around)


def _way(job: Job, finding: Finding, width: int) -> list[Line]:
    rows = tree(job, finding, width - _MARGIN)
    title = [_indented("the way from the loss", "title", width)] if rows else []
    return title + [fit([(" " * _MARGIN, "text"), *row], width) for row in rows]


def _beside(job: Job, finding: Finding, width: int, around: int) -> list[Line]:
    """The source, and the way to its right if one is known."""
    way = _way(job, finding, min(_WAY_CELLS, width // 2))
    if not way:
        return _source(job, finding, width, around)
    right = max(cell_len("".join(text for text, _ in row).rstrip()) for row in way) + _MARGIN
    way = _way(job, finding, right)
    left = min(width - right, _SOURCE_CELLS)
    source = _source(job, finding, left - _MARGIN, around)
    pairs = zip_longest(source, way)
    return [fit([*fit(a or [], left), *fit(b or [], right)], width) for a, b in pairs]


def _facts(job: Job, finding: Finding, now: float) -> Iterator[tuple[str, str, str]]:
    """Label, words and ink of what is known besides."""
    if finding.holder:
        yield holder_label(finding.kind), finding.holder, "code"
    yield "since", _since(job, finding, now), "text"
    if costs := _costs(job, finding):
        yield "costs", costs, "text"
    if measured := facts.measured(job, finding) if finding.state != "resolved" else "":
        yield "now", measured.removeprefix(f"{facts.NOW} "), "text"
    if forecast := facts.forecast(job, finding) if finding.state != "resolved" else "":
        yield "memory", forecast.removeprefix("Memory is "), "warning"
    if finding.state == "resolved":
        yield "state", "resolved: no longer so", "good"
    if ended := facts.ended(job, now, finding.message):
        yield "job", ended, "warning"


def _since(job: Job, finding: Finding, now: float) -> str:
    since = facts.since(job, finding, now).removeprefix("since ")
    if finding.iteration <= finding.since_iteration:
        return since
    return f"{since}; noticed in iteration {units.whole(finding.iteration)}"


def _costs(job: Job, finding: Finding) -> str:
    """What each iteration adds, how much that is a second, and how much longer it takes by now."""
    nodes, size = finding.nodes_per_iteration, finding.bytes_per_iteration
    told = units.count(abs(nodes)) if nodes else ""
    if nodes and adds_up(finding.kind):
        told = units.signed(nodes, told)
    parts = [f"{told} nodes"] if nodes else []
    parts += [units.signed(size, units.size(abs(size)))] if size else []
    rate = job.rate_per_s if job.state == "live" else None
    pace = f", {units.size(abs(size) * rate)} a second" if size and rate else ""
    each = f"{' and '.join(parts)} an iteration{pace}" if parts else ""
    slower = facts.slower(job, finding).replace("An", "an", 1).removesuffix(".")
    return "; ".join(filter(None, (each, slower)))


def _change(change: Change, width: int) -> list[Line]:
    """The suggestion, its statements as a difference."""
    if not change.say and not change.after:
        return []
    lines = _entry("change", change.say, "text", width)
    lines += _statement("- ", change.before, "removed", width)
    lines += _statement("+ ", change.after, "added", width)
    return lines + (_entry("", change.also, "text", width) if change.also else [])


def _statement(sign: str, code: str, ink: str, width: int) -> list[Line]:
    """Code is broken where the line ends, not at spaces: it stands as it is to be written."""
    blank = " " * (_MARGIN + _LABEL_CELLS)
    parts = broken(code, max(width - len(blank) - len(sign) - _MARGIN, _LABEL_CELLS))[:_CODE_ROWS]
    return [
        fit([(blank, "text"), (sign if i == 0 else "  ", ink), (part, ink)], width)
        for i, part in enumerate(parts) if part
    ]  # fmt: skip


def _entry(label: str, words: str, ink: str, width: int) -> list[Line]:
    room = width - 2 * _MARGIN - _LABEL_CELLS
    return [
        fit([(" " * _MARGIN, "text"), ((label if i == 0 else "").ljust(_LABEL_CELLS), "muted"),
             (text, ink)], width)
        for i, text in enumerate(wrap(words, room, _SENTENCE_ROWS))
    ]  # fmt: skip


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width - 2 * _MARGIN, _SENTENCE_ROWS)


def _indented(text: str, ink: str, width: int) -> Line:
    line: Line = [(" " * _MARGIN, ink), (text, ink)]
    return fit(line, max(width, width_of(line[:1])))
