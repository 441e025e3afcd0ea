"""The lists of a job's screen: findings, backward passes, nodes by type.

Owns their columns and the words in their cells. Must not know widgets, colours or clocks.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.cells import cell_len

from gradwatch.model import Job
from gradwatch.tui.facts import is_script, place_of
from gradwatch.tui.lines import Line
from gradwatch.tui.tables import Column
from gradwatch.tui.units import duration, signed, whole
from gradwatch.tui.verdict import GLYPHS, title_of
from gradwatch_agent import wire

_WINDOW: Final = 100
"""Iterations over which a change in node types is told."""

FINDINGS: Final = (
    Column("findings", 18, grow=1, most=32),
    Column("since", 7, right=True, rank=4),
    Column("where", 12, grow=2, most=40, rank=5, keeps="one"),
)

BACKWARDS: Final = (
    Column("it", 5, right=True),
    Column("took", 6, right=True),
    Column("backwards", 13, grow=3, most=24),
    Column("called at", 11, grow=2, most=40, rank=1, keeps="one"),
    Column("graph", 6, grow=1, most=14, rank=2),
)


@dataclass(frozen=True, slots=True)
class TypeItem:
    """Nodes of one type: how many now, and how many more than a window ago."""

    name: str
    now: int
    change: int | None


@dataclass(frozen=True, slots=True)
class TypeCount:
    """All types of one count."""

    items: Sequence[TypeItem] = ()
    window: int = 0
    """Over how many iterations the change is told."""
    at: int | None = None
    """Its iteration; None: there is no newer count."""


def findings(job: Job) -> list[wire.Finding]:
    """The open ones first, the gravest on top; then the quiet ones, the resolved ones last."""
    resolved = [f for f in job.findings.values() if f.state == "resolved"]
    return [*job.open_findings, *job.quiet_findings, *reversed(resolved)]


def finding_columns(job: Job, listed: Sequence[wire.Finding]) -> tuple[Column, ...]:
    """`since` no wider than it needs; that one is told no more, and how, comes before all else."""
    first, since, where = FINDINGS
    longest = max((len(_since(finding)) for finding in listed), default=since.width)
    quiet = (cell_len(_titled(job, one)) for one in listed if job.hushed(one))
    return (
        replace(first, wants=min(max(quiet, default=0), first.most)),
        replace(since, width=max(len(since.title), longest)),
        where,
    )


def _since(finding: wire.Finding) -> str:
    return f"it {whole(finding.since_iteration)}"


def _titled(job: Job, finding: wire.Finding) -> str:
    """Its sign, its name, and whether it is over or told no more."""
    how = "resolved" if finding.state == "resolved" else job.hushed(finding)
    glyph = "✓" if how == "resolved" else "◦" if how else GLYPHS[finding.level]
    return f"{glyph} {', '.join(filter(None, (title_of(finding), how)))}"


def finding_cells(job: Job, finding: wire.Finding) -> list[Line]:
    """Cells under `FINDINGS`."""
    is_quiet = finding.state == "resolved" or job.hushed(finding) is not None
    return [
        [(_titled(job, finding), "muted" if is_quiet else finding.level)],
        [(_since(finding), "muted" if is_quiet else "text")],
        _stands_at(job, finding.file, finding.line),
    ]


def backwards(job: Job, query: str = "") -> list[wire.Backward]:
    """The newest first; with a query only those in which each of its words stands."""
    words = query.lower().split()
    calls = list(reversed(job.backwards))
    return [call for call in calls if _has(call, words)] if words else calls


def backward_columns(calls: Sequence[wire.Backward]) -> tuple[Column, ...]:
    """The iterations' column as wide as the longest needs. Where nothing is special about any of
    the calls, their names get that room.
    """
    first, *others, notes = BACKWARDS
    longest = max((len(_iteration_of(call)) for call in calls), default=0)
    is_plain = calls and not any(map(_notes, calls))
    return (
        replace(first, width=max(first.width, longest)),
        *others,
        replace(notes, width=0) if is_plain else notes,
    )


def _iteration_of(call: wire.Backward) -> str:
    """Its number, after a sign that others went by unseen before it."""
    return f"{_gap(call)}{whole(call.iteration)}"


def _gap(call: wire.Backward) -> str:
    """The sign: close to the number it looks like a colon."""
    return "⋮ " if call.skipped else ""


def _has(call: wire.Backward, words: list[str]) -> bool:
    failed = f"failed {call.error}" if call.error else ""
    text = f"{call.iteration} {call.root} {call.file}:{call.line} {call.function} {_notes(call)}"
    text = f"{text} {failed}".lower()
    return all(word in text for word in words)


def backward_cells(job: Job, call: wire.Backward) -> list[Line]:
    """Cells under `BACKWARDS`."""
    root = f"{call.root or '?'}{f' +{call.roots - 1}' if call.roots > 1 else ''}"
    if call.error:
        words = (_iteration_of(call), "failed", call.error.partition(":")[0])
        return [
            *([(word, "critical")] for word in words),
            _stands_at(job, call.file, call.line, "critical"),
            [],
        ]
    return [
        [(_gap(call), "muted"), (whole(call.iteration), "text")],
        [(duration(call.duration_s), "text")],
        [(root, "text")],
        _stands_at(job, call.file, call.line),
        [(_notes(call), "warning" if call.retain_graph else "muted")],
    ]


def _stands_at(job: Job, file: str | None, line: int | None, ink: str = "muted") -> Line:
    """In all its lengths; of what is in the script itself, whose name stands above, the line."""
    place = place_of(job, file, line)
    short = f"line {line}" if is_script(job, file) and line is not None else ""
    return [(place, ink), (short or place.rpartition("/")[2], ink)]


def _notes(call: wire.Backward) -> str:
    """What becomes of the graph, and what is special about the call."""
    kept = "create" if call.create_graph else "retain" if call.retain_graph else ""
    asked = "grad()" if call.call == "grad" else ""
    return ", ".join(filter(None, (kept, asked)))


def types(job: Job, upto: float | None = None, window: int | None = None) -> TypeCount:
    """Nodes by type, the most first, in the newest count, or in that of iteration `upto`."""
    census = job.census if upto is None else _counted(job, upto)
    if census is None or census.types is None:
        return TypeCount()
    now, before = census.types, _earlier(job, census, _WINDOW if window is None else window)
    past = before.types if before and before.types is not None else None
    names = now if past is None else now | dict.fromkeys(past.keys() - now.keys(), 0)
    items = [
        TypeItem(name, count, None if past is None else count - past.get(name, 0))
        for name, count in names.items()
    ]
    return TypeCount(
        sorted(items, key=lambda item: (-item.now, item.name)),
        census.number - before.number if before else 0,
        None if census is job.census else census.number,
    )


def type_columns(counted: TypeCount) -> tuple[Column, ...]:
    """The columns, with what was counted when in the titles."""
    change = f"in {whole(counted.window)} its" if counted.window else "change"
    when = "now" if counted.at is None else f"at {whole(counted.at)}"
    return (
        Column("nodes by type", 13, grow=1, most=32, keeps="one"),
        Column(when, max(6, len(when)), right=True),
        Column(change, max(7, len(change)), right=True, rank=1),
    )


def type_cells(item: TypeItem) -> list[Line]:
    """Cells under `type_columns`."""
    change = signed(item.change, whole(abs(item.change or 0)))
    ink = "warning" if item.change else "muted"
    return [_op(item.name), [(whole(item.now), "text")], [(change, ink)]]


def _op(name: str) -> Line:
    """A node's type, also without the word that most of them end with."""
    return [(name, "text"), (name.partition("Backward")[0] or name, "text")]


def _counted(job: Job, upto: float) -> wire.Iteration | None:
    """The newest count that is not younger."""
    records = (job.iterations[i] for i in range(len(job.iterations) - 1, -1, -1))
    return next((r for r in records if r.types is not None and r.number <= upto), None)


def _earlier(job: Job, census: wire.Iteration, window: int) -> wire.Iteration | None:
    """The newest count that is a window older, else the oldest one there is."""
    oldest = None
    for i in range(len(job.iterations) - 1, -1, -1):
        record = job.iterations[i]
        if record.types is None or record.number >= census.number:
            continue
        oldest = record
        if record.number <= census.number - window:
            break
    return oldest
