"""Runs a script of the corpus to its end, watched, and returns what was found.

Owns the ways to run it: under `gradwatch check`, or live, as any job with the one line and the
budget of every day; in an interpreter of its own, or forked from one that has torch. Must not know
what is right.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus_header import Entry
    from corpus_judge import Finding

    from tests.nursery import Nursery

LIMIT_S = 110
"""For one script, in seconds; most take three."""

_TO_ITS_END = "1000000"
"""Iterations: each script ends by itself."""

Start = Callable[["Entry", list[str], dict[str, str]], "subprocess.CompletedProcess[str]"]
"""Runs a command line of Python's in the script's folder, with these variables besides."""

Way = Callable[["Entry", Path], tuple["list[Finding] | None", str]]
"""Runs a script, with a folder for what is written; gives what `ran` does."""


def ran(entry: Entry, way: Way) -> tuple[list[Finding] | None, str]:
    """What was found, each finding in its last state, and the script's last words; None if it came
    to no end.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            return way(entry, Path(folder))
        except subprocess.TimeoutExpired:
            return None, f"not over after {LIMIT_S} s"


def interpreter(
    entry: Entry, command: list[str], settings: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """One of its own, from its start to its end."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=entry.folder,
        env=_environment(settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def check(entry: Entry, folder: Path) -> tuple[list[Finding] | None, str]:
    """The way of `gradwatch check`, the verb itself."""
    report = folder / "report.json"
    verb = ["-m", "gradwatch", "check", f"--json={report}", f"--iterations={_TO_ITS_END}"]
    done = interpreter(entry, [*verb, *entry.command], {})
    if not report.exists():
        return None, done.stderr
    document = json.loads(report.read_text())
    return document["findings"] + document["resolved"], done.stderr


def live(entry: Entry, folder: Path) -> tuple[list[Finding] | None, str]:
    """The way of `gradwatch run`, as nearly all jobs are watched."""
    run = ["-m", "gradwatch", "run", "--", sys.executable]
    return logged(entry, folder, interpreter, [*run, *entry.command], {})


def forked(nursery: Nursery, *, thorough: bool) -> Way:
    """Either of the two, without the seconds in which torch is imported."""

    def start(
        entry: Entry, command: list[str], settings: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        first = "gradwatch_agent.auto"
        folder = entry.folder
        return nursery.run(command, _environment(settings), LIMIT_S, folder=folder, first=first)

    def way(entry: Entry, folder: Path) -> tuple[list[Finding] | None, str]:
        asked = {"GRADWATCH_CHECK": _TO_ITS_END, "GRADWATCH_REPORTS": str(folder)}
        return logged(entry, folder, start, [*entry.command], asked if thorough else {})

    return way


def logged(
    entry: Entry, folder: Path, start: Start, command: list[str], settings: dict[str, str]
) -> tuple[list[Finding], str]:
    """Starts it with a log, and reads that."""
    log = folder / "alerts.jsonl"
    done = start(entry, command, settings | {"GRADWATCH_LOG": str(log)})
    newest: dict[tuple[str, str], Finding] = {}
    for line in log.read_text().splitlines() if log.exists() else ():
        finding = json.loads(line)
        newest[finding["run"], finding["id"]] = finding
    return list(newest.values()), done.stderr


def _environment(settings: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", **settings}
