"""Runs a script of the corpus under `gradwatch check`, and judges what was found.

Owns what counts as right. Must not know how many scripts there are or how results are shown.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus_header import Entry

LIMIT_S = 110
"""For one script, in seconds; most take three."""

_TO_ITS_END = 1_000_000
"""Iterations: each script ends by itself."""

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


def scored(entry: Entry) -> Score:
    """Runs the script in a child process, unchanged, and judges the report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        try:
            said = _checked(entry, report)
        except subprocess.TimeoutExpired:
            said = f"not over after {LIMIT_S} s"
        if not report.exists():
            return Score(entry, found=False, misses=(f"no report: {said[-300:]}",))
        document = json.loads(report.read_text())
    findings = document["findings"] + document.get("resolved", [])
    return _judged(entry, findings) if entry.guilty else _acquitted(entry, findings)


def _checked(entry: Entry, report: Path) -> str:
    command = (sys.executable, "-m", "gradwatch", "check", f"--json={report}")
    done = subprocess.run(
        [*command, f"--iterations={_TO_ITS_END}", *entry.command],
        cwd=entry.folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    return done.stderr


def _acquitted(entry: Entry, findings: list[dict[str, Any]]) -> Score:
    alarms = tuple(_brief(f) for f in findings if f["level"] != "info")
    misses = tuple(f"false alarm: {alarm}" for alarm in alarms)
    return Score(entry, found=not alarms, extra=alarms, misses=misses)


def _judged(entry: Entry, findings: list[dict[str, Any]]) -> Score:
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


def _line(entry: Entry, finding: dict[str, Any]) -> str:
    if not entry.lines:
        return ""
    if finding["file"] is None or finding["line"] is None:
        return "null"
    place = (Path(finding["file"]).resolve(), finding["line"])
    return "right" if place in entry.lines else "wrong"


def _holder(entry: Entry, finding: dict[str, Any]) -> str:
    if not entry.holders:
        return ""
    if finding["holder"] is None:
        return "null"
    return "right" if entry.is_holder(finding["holder"]) else "wrong"


def _brief(finding: dict[str, Any]) -> str:
    file = Path(finding["file"]).name if finding["file"] else None
    return (
        f"{finding['kind']} ({finding['level']}, {finding['state']}) at {finding['iteration']} "
        f"{file}:{finding['line']} `{finding['code']}` holder {finding['holder']} "
        f"| {finding['message']} | {finding['suggestion']}"
    )
