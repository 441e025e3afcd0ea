"""Judges what was found in a script of the corpus by the truth in its header.

Owns what counts as right. Must not know how the script was run, how many there are or how results
are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus_header import Entry

Finding = dict[str, Any]
"""As the contract has it in JSON, in its last state."""

_RAISING = {"second-backward", "inplace-modified"}


@dataclass(frozen=True)
class Score:
    """How one script was judged. `line` and `holder`: right, wrong, null, or "" where the truth
    names none."""

    entry: Entry
    found: bool
    """The kind is right (guilty), or nothing was told at warning or above (innocent)."""
    extra: tuple[str, ...] = ()
    line: str = ""
    holder: str = ""
    after: int | None = None
    """Iterations from the first bad one to the finding."""
    misses: tuple[str, ...] = ()
    told: str = ""
    """The finding itself, in brief."""


def judged(entry: Entry, findings: Sequence[Finding] | None, said: str) -> Score:
    """What is right in it and what is not; `said`: the script's last words, if it found no end."""
    if findings is None:
        return Score(entry, found=False, misses=(f"no report: {said[-300:]}",))
    return _convicted(entry, findings) if entry.guilty else _acquitted(entry, findings)


def _acquitted(entry: Entry, findings: Sequence[Finding]) -> Score:
    alarms = tuple(_brief(f) for f in findings if f["level"] != "info")
    misses = tuple(f"false alarm: {alarm}" for alarm in alarms)
    return Score(entry, found=not alarms, extra=alarms, misses=misses)


def _convicted(entry: Entry, findings: Sequence[Finding]) -> Score:
    right = next((f for f in findings if f["kind"] == entry.kind), None)
    extra = tuple(_brief(f) for f in findings if f is not right and f["kind"] not in entry.also)
    misses = [f"extra: {told}" for told in extra]
    if right is None:
        misses.insert(0, f"{entry.kind} not found")
        return Score(entry, found=False, extra=extra, misses=tuple(misses))
    line, holder = _line(entry, right), _holder(entry, right)
    misses += [
        f"{what} {verdict}: {_brief(right)}"
        for what, verdict in (("line", line), ("holder", holder))
        if verdict in {"wrong", "null"}
    ]
    after = right["iteration"] - entry.first_bad
    early = after < 0 and entry.kind in _RAISING
    if after > entry.notice or early:
        misses.append(f"noticed in iteration {right['iteration']}, bad from {entry.first_bad} on")
    return Score(entry, True, extra, line, holder, after, tuple(misses), _brief(right))


def _line(entry: Entry, finding: Finding) -> str:
    if not entry.lines:
        return ""
    if finding["file"] is None or finding["line"] is None:
        return "null"
    place = (Path(finding["file"]).resolve(), finding["line"])
    return "right" if place in entry.lines else "wrong"


def _holder(entry: Entry, finding: Finding) -> str:
    if not entry.holders:
        return ""
    if finding["holder"] is None:
        return "null"
    return "right" if entry.is_holder(finding["holder"]) else "wrong"


def _brief(finding: Finding) -> str:
    file = Path(finding["file"]).name if finding["file"] else None
    return (
        f"{finding['kind']} ({finding['level']}, {finding['state']}) at {finding['iteration']} "
        f"{file}:{finding['line']} `{finding['code']}` holder {finding['holder']} "
        f"| {finding['message']} | {finding['suggestion']}"
    )
