"""A finding as a person reads it: the sentence, the source around the line, the change.

Owns the text. Pure but for reading the source lines it shows.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from typing import Final

from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.verdicts.case import adds_up, amount, holder_label
from gradwatch_agent.wire import Finding

SURE: Final = 8
"""Iterations in which a plain leak shows for sure (a chain in its 6th, a kept graph in its 7th):
that nothing was found in fewer proves little."""

_AROUND: Final = 2
"""Source lines shown above and below the statement."""


def told(finding: Finding) -> str:
    """The whole finding, over several lines."""
    return "\n".join(_lines(finding))


def _lines(finding: Finding) -> Iterator[str]:
    when = f"since iteration {finding.since_iteration}, noticed in iteration {finding.iteration}"
    yield f"{finding.kind} · {finding.level} · {when}"
    yield finding.message
    yield from _source(finding)
    if finding.holder:
        yield f"  {holder_label(finding.kind):<8} {finding.holder}"
    costs = list(_costs(finding))
    if costs:
        yield f"  costs    {', '.join(costs)}"
    if finding.suggestion:
        yield f"  change   {finding.suggestion}"


def _costs(finding: Finding) -> Iterator[str]:
    if finding.nodes_per_iteration:
        digits = ".0f" if abs(finding.nodes_per_iteration) >= 1_000 else ".3g"  # no 1.23e+03
        sign = "+" if adds_up(finding.kind) else ""
        yield f"{finding.nodes_per_iteration:{sign},{digits}} nodes an iteration"
    if finding.bytes_per_iteration:
        sign = "+" if finding.bytes_per_iteration > 0 else ""
        yield f"{sign}{amount(finding.bytes_per_iteration)} an iteration"
    if finding.eta_iterations is not None:
        yield f"memory is full in {finding.eta_iterations:,} iterations"


def _source(finding: Finding) -> Iterator[str]:
    """The lines around the statement, and a caret under it."""
    if finding.file is None or finding.line is None:
        return
    yield ""
    yield f"  {finding.file}:{finding.line}"
    if not _text(finding, finding.line).strip():
        yield f"  ▶ {finding.line:4} │ {finding.code or ''}"
        yield ""
        return
    last = finding.line
    for number in range(max(finding.line - _AROUND, 1), last + _AROUND + 1):
        text = _text(finding, number).rstrip().expandtabs()
        if number > last and not text:
            break
        mark = "▶" if number == finding.line else " "
        yield f"  {mark} {number:4} │ {text}".rstrip()
        if number == finding.line:
            indent = len(text) - len(text.lstrip())
            yield f"         │ {' ' * indent}{'^' * len(without_comment(text.strip()))}"
    yield ""


def _text(finding: Finding, number: int) -> str:
    """A line of the source as the job read it, should it have been changed since; else as it is."""
    known = finding.source
    if known is not None and known.first <= number < known.first + len(known.lines):
        return known.lines[number - known.first]
    return linecache.getline(finding.file or "", number)
