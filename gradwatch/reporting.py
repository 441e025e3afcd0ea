"""The report of a check, or of a run: what was found, one after another.

Owns the text, and which state of a finding counts. Pure but for reading a log and the source
lines it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from gradwatch_agent.reporting import SURE, told
from gradwatch_agent.verdicts.case import plural
from gradwatch_agent.wire import LEVELS, Finding

Early: TypeAlias = Literal["stopped", "failed", "killed", "interrupted"]
"""Why a script ended before it was done: by the check, or before that had seen all."""

_FEW: Final = f"; only from {SURE} on does every plain leak show"

_BEFORE: Final[dict[Early | None, str]] = {
    None: "no training iteration was seen; nothing was checked",
    "stopped": "stopped before its first iteration ended; nothing was checked",
    "failed": "failed before its first iteration ended; nothing was checked",
    "killed": "ended before it could tell how far it came; nothing found",
    "interrupted": "interrupted before its first iteration ended; nothing was checked",
}


def report(
    script: str,
    iterations: int,
    findings: list[Finding],
    over: list[Finding],
    *,
    early: Early | None = None,
    end: str = "",
) -> str:
    """The whole report of a check. `over`: what was raised and turned out bounded. `end`: how the
    script ended, where that is worth a word.
    """
    said = f"{script}: {_seen(iterations, len(findings), early)}"
    return "\n\n".join([f"{said}; {end}" if end else said, *findings_told([*findings, *over])])


def findings_told(findings: Sequence[Finding]) -> Iterator[str]:
    """Each in some lines, the gravest first; those that are over last, and short.

    Of more runs than one, each has a heading.
    """
    runs: dict[str, list[Finding]] = {}
    for finding in findings:
        runs.setdefault(finding.run, []).append(finding)
    for of_one in runs.values():
        if len(runs) > 1:
            one = of_one[0]
            whose = f"{one.job}, rank {one.rank} (pid {one.pid} on {one.host})"
            yield f"── {whose}: {plural(len(of_one), 'finding')}"
        yield from _of_one(of_one)


def _of_one(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in sorted(findings, key=lambda f: (f.state == "resolved", -LEVELS.index(f.level))):
        yield _over(finding) if finding.state == "resolved" else told(finding)


def _over(finding: Finding) -> str:
    """What is over, in short: where it was is still worth a look."""
    said = f"{finding.kind} · resolved\n{finding.message}"
    if finding.file is None or finding.line is None:
        return said
    return f"{said}\n  {finding.file}:{finding.line}  {finding.code or ''}".rstrip()


def newest(log: Path) -> list[Finding]:
    """Each finding of each process in its newest state, the gravest first.

    Raises OSError, and `msgspec.DecodeError` where a line is no finding.
    """
    states: dict[tuple[str, str], Finding] = {}
    for line in log.read_bytes().splitlines():
        finding = msgspec.json.decode(line, type=Finding)
        states[finding.run, finding.id] = finding
    return sorted(states.values(), key=lambda f: -LEVELS.index(f.level))


def _seen(iterations: int, findings: int, early: Early | None) -> str:
    if not iterations and not findings:
        return _BEFORE[early]
    ran = plural(iterations, "iteration")
    if early in ("stopped", "interrupted"):
        ran = f"{early} after {ran}"
    elif early == "failed" and not iterations:
        ran = "failed before its first iteration ended"
    if findings:
        return f"{ran}, {plural(findings, 'finding')}"
    few = iterations < SURE and early != "failed"
    return f"{ran}, nothing found{_FEW if few else ''}"
