"""The way from the loss to the stale node, as a small tree.

Owns its shape. Must not know widgets or colours. Pure.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from rich.cells import cell_len

from gradwatch.model import Job
from gradwatch.tui import units
from gradwatch.tui.facts import place_of
from gradwatch.tui.lines import Line, cut_front, fit
from gradwatch_agent.wire import Finding, Step

_MOST_STEPS: Final = 32
"""The agent tells at most half as many."""
_DEEPEST: Final = 6
"""Branches that are indented; deeper ones stand below each other."""
_NAME_CELLS: Final = 34
_PLACE_CELLS: Final = 18
"""Of a place in another file."""


def tree(job: Job, finding: Finding, width: int) -> list[Line]:
    """A row for each step, equal neighbours taken together; empty if no way is known."""
    steps = finding.way[:_MOST_STEPS]
    if not steps:
        return []
    rows: list[tuple[str, Line]] = []
    for step, count in _grouped(steps):
        if step.skipped:
            rows.append((_branch(len(rows), f"… {_nodes(step.skipped)} more"), []))
        times = f" ×{count}" if count > 1 else ""
        rows.append((_branch(len(rows), f"{step.op}{times}"), _where(job, finding, step)))
    rows += [(rest, [])] if (rest := _rest(job, finding)) else []
    cells = min(max(cell_len(name) for name, detail in rows if detail), _NAME_CELLS)
    return [
        fit([*fit([(name, "text")], cells), *detail], width) if detail
        else fit([(name, "muted")], width)
        for name, detail in rows
    ]  # fmt: skip


def _grouped(steps: tuple[Step, ...]) -> list[tuple[Step, int]]:
    """Steps with how many equal ones follow each other; one after a gap stands alone."""
    groups = groupby(steps, key=lambda s: (s.op, s.iteration, s.file, s.line, s.skipped))
    return [(next(group), 1 + sum(1 for _ in group)) for _, group in groups]


def _branch(depth: int, name: str) -> str:
    return f"{'  ' * (min(depth, _DEEPEST) - 1)}└ {name}" if depth else name


def _where(job: Job, finding: Finding, step: Step) -> Line:
    """When and where the node was made; the one of an earlier iteration is what is wrong."""
    newest = finding.way[0].iteration
    is_stale = None not in (step.iteration, newest) and step.iteration != newest
    parts = [f"it {units.whole(step.iteration)}" if step.iteration is not None else ""]
    if step.line is not None:
        is_same = step.file == finding.file
        place = place_of(job, step.file, step.line)
        parts.append(f"line {step.line}" if is_same else cut_front(place, _PLACE_CELLS))
    parts.append("◀ stale" if is_stale else "")
    return [(f"  {'  '.join(filter(None, parts))}", "stale" if is_stale else "muted")]


def _rest(job: Job, finding: Finding) -> str:
    """How far it goes on behind the stale node, as last counted: that may be long after the way was
    found, and is told with its iteration. Too long to be indented.
    """
    census = job.census
    is_open = finding.state != "resolved" and finding.kind == "graph-chain"
    if not is_open or census is None or not census.stale or census.oldest is None:
        return ""
    more = _nodes(census.stale - 1)
    when = units.whole(census.number)
    return f"… it {when}: {more} more, back to it {units.whole(census.oldest)}"


def _nodes(count: int) -> str:
    return f"{units.whole(count)} node{'' if count == 1 else 's'}"
