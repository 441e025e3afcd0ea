"""`gradwatch check`: runs a script for some iterations at full detail and reports what is wrong.

Owns the child process, its end, and the report. The script is run as it is, by the Python that
runs gradwatch; its input and output are its own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import msgspec

from gradwatch.commands import errors
from gradwatch.commands.run import with_agent
from gradwatch.reporting import newest, report
from gradwatch_agent import wire

_GRACE_S: Final = 20.0
"""After the last iteration the script has this long to unwind, in seconds."""

_LOOK_S: Final = 0.2


class _Report(msgspec.Struct):
    """What a checked process leaves behind."""

    iterations: int
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check saw."""

    status: int
    iterations: int
    findings: list[wire.Finding]
    over: list[wire.Finding]
    """Raised, and resolved before the end."""
    stopped: bool

    @property
    def failed(self) -> bool:
        """The script ended with an error of its own."""
        return self.status != 0 and not self.stopped

    @property
    def code(self) -> int:
        """The exit code: a failure of the script's own counts unless a finding explains it."""
        grave = [f for f in self.findings if f.level != "info"]
        if self.failed and not any(f.kind != "crashed" or f.suggestion for f in grave):
            return errors.Failed.exit_code
        return errors.FINDINGS if grave else errors.NOTHING_FOUND


def run(command: Sequence[str], script: str, iterations: int, json_to: str | None) -> int:
    """Checks `command`, a Python script or -m and a module, with its arguments."""
    if command[0] != "-m" and not Path(command[0]).is_file():
        raise errors.Unusable(f"no script {command[0]!r}.")
    with tempfile.TemporaryDirectory(prefix="gradwatch-check-") as folder:
        try:
            outcome = _watched([sys.executable, *command], iterations, Path(folder))
        except KeyboardInterrupt:
            return errors.INTERRUPTED
    _tell(outcome, script, json_to)
    return outcome.code


def _watched(command: Sequence[str], iterations: int, folder: Path) -> Outcome:
    """Runs the command to its end, or to the end of the iterations asked for."""
    log = folder / "alerts.jsonl"
    environment = with_agent(os.environ) | {
        "GRADWATCH_CHECK": str(iterations),
        "GRADWATCH_REPORTS": str(folder),
        "GRADWATCH_LOG": str(log),
    }
    environment.pop("GRADWATCH_OFF", None)
    sys.stdout.flush()
    child = subprocess.Popen(command, env=environment)
    try:
        status = _wait(child, folder)
    except KeyboardInterrupt:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_GRACE_S)
        child.kill()
        raise
    reports = _reports(folder)
    findings = newest(log) if log.exists() else []
    return Outcome(
        status=status,
        iterations=max((r.iterations for r in reports), default=0),
        findings=[f for f in findings if f.state != "resolved"],
        over=[f for f in findings if f.state == "resolved"],
        stopped=any(r.stopped for r in reports),
    )


def _wait(child: subprocess.Popen[bytes], folder: Path) -> int:
    """The script's exit status; ends it if it does not unwind after its last iteration."""
    ends: float | None = None
    while True:
        try:
            return child.wait(_LOOK_S)
        except subprocess.TimeoutExpired:
            pass
        if ends is None:
            if any(r.stopped for r in _reports(folder)):
                ends = time.monotonic() + _GRACE_S
        elif time.monotonic() > ends:
            child.send_signal(signal.SIGTERM)
            ends += _GRACE_S


def _reports(folder: Path) -> list[_Report]:
    """One a process; a file that is being written just now is left for the next look."""
    found = []
    for path in folder.glob("*.json"):
        with contextlib.suppress(msgspec.DecodeError, OSError):
            found.append(msgspec.json.decode(path.read_bytes(), type=_Report))
    return found


def _tell(outcome: Outcome, script: str, json_to: str | None) -> None:
    if json_to is None:
        seen = outcome.iterations, outcome.findings, outcome.over
        click.echo(report(script, *seen, failed=outcome.failed))
        return
    text = msgspec.json.encode(
        {
            "script": script,
            "iterations": outcome.iterations,
            "findings": outcome.findings,
            "resolved": outcome.over,
        }
    ).decode()
    if json_to == "-":
        click.echo(text)
    else:
        Path(json_to).write_text(text + "\n")
