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
from pathlib import Path
from typing import Final

import click
import msgspec

from gradwatch.commands import errors
from gradwatch.commands.outcome import Outcome, error_in, refused
from gradwatch.commands.run import with_agent
from gradwatch.reporting import newest

_GRACE_S: Final = 20.0
"""After the last iteration the script has this long to unwind, in seconds."""

_CAUGHT_S: Final = 1.0
"""The same of one that catches what is to end it: each iteration is broken off in its middle."""

_LOOK_S: Final = 0.2

_UNASKED_S: Final = 1.0
"""After Ctrl+C, which a terminal sends to the script too, the script is left alone for this long:
told twice, it would be interrupted in its own cleaning up. In seconds."""


class _Report(msgspec.Struct):
    """What a checked process leaves behind."""

    iterations: int
    stopped: bool = False
    caught: bool = False


def run(command: Sequence[str], script: str, iterations: int, json_to: str | None) -> int:
    """Checks `command`, a Python script or -m and a module, with its arguments."""
    if command[0] != "-m" and not Path(command[0]).is_file():
        meant = " A report goes into a file by --json=FILE." if command[0].endswith(".json") else ""
        raise errors.Unusable(f"no script {command[0]!r}.{meant}")
    if json_to is not None and json_to != "-":
        _require_writable(Path(json_to))
    with tempfile.TemporaryDirectory(prefix="gradwatch-check-") as folder:
        outcome = _watched([sys.executable, *command], iterations, Path(folder))
    _tell(outcome, script, json_to)
    return outcome.code


def _require_writable(path: Path) -> None:
    """Before the script has run for nothing."""
    try:
        was_there = path.exists()
        if not path.is_fifo():  # whoever reads that would take our leaving for the end
            path.open("a").close()
        if not was_there:
            path.unlink()  # there is a report when there is something to report
    except OSError as error:
        raise _cannot_write(path, error) from None


def _watched(command: Sequence[str], iterations: int, folder: Path) -> Outcome:
    """Runs the command to its end, or to the end of the iterations asked for, or to Ctrl+C."""
    log = folder / "alerts.jsonl"
    environment = with_agent(os.environ) | {
        "GRADWATCH_CHECK": str(iterations),
        "GRADWATCH_REPORTS": str(folder),
        "GRADWATCH_LOG": str(log),
    }
    environment.pop("GRADWATCH_OFF", None)
    sys.stdout.flush()
    child = subprocess.Popen(command, env=environment)
    interrupted = False
    try:
        status = _wait(child, folder)
    except KeyboardInterrupt:
        interrupted = True
        status = _interrupt(child)
    reports = _reports(folder)
    findings = newest(log) if log.exists() else []
    # Of a process that was killed there is no report; its findings tell how far it came at least.
    counts = [*(r.iterations for r in reports), *(f.iteration for f in findings)]
    return Outcome(
        status=status,
        iterations=max(counts, default=0),
        findings=[f for f in findings if f.state != "resolved"],
        over=[f for f in findings if f.state == "resolved"],
        stopped=any(r.stopped for r in reports),
        caught=any(r.caught for r in reports),
        interrupted=interrupted,
        error=error_in(findings) or (None if reports or status != 1 else refused(command[1])),
    )


def _wait(child: subprocess.Popen[bytes], folder: Path) -> int:
    """The script's exit status; ends it if it does not unwind after its last iteration."""
    told: float | None = None
    while True:
        try:
            return child.wait(_LOOK_S)
        except subprocess.TimeoutExpired:
            pass
        reports = _reports(folder)
        if not any(r.stopped for r in reports):
            continue
        grace = _CAUGHT_S if any(r.caught for r in reports) else _GRACE_S
        told = told or time.monotonic()
        if time.monotonic() > told + grace:
            child.send_signal(signal.SIGTERM)
            told = time.monotonic()


def _interrupt(child: subprocess.Popen[bytes]) -> int:
    """The exit status of a script that is to end now; a second Ctrl+C ends all patience."""
    with contextlib.suppress(KeyboardInterrupt):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.wait(_UNASKED_S)
        if not _at_terminal():
            child.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.wait(_GRACE_S)
    child.kill()
    return child.wait()


def _at_terminal() -> bool:
    """Whether Ctrl+C comes from a terminal, to the script as well."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except (OSError, AttributeError):  # the latter: Windows
        return False


def _reports(folder: Path) -> list[_Report]:
    """One a process; a file that is being written just now is left for the next look."""
    found = []
    for path in folder.glob("*.json"):
        with contextlib.suppress(msgspec.DecodeError, OSError):
            found.append(msgspec.json.decode(path.read_bytes(), type=_Report))
    return found


def _tell(outcome: Outcome, script: str, json_to: str | None) -> None:
    if json_to is None:
        click.echo(outcome.told(script))
        return
    text = msgspec.json.encode(outcome.document(script)).decode()
    if json_to == "-":
        click.echo(text)
        return
    try:
        Path(json_to).write_text(text + "\n")
    except OSError as error:  # the disk has become full meanwhile
        click.echo(outcome.told(script))
        raise _cannot_write(Path(json_to), error) from None


def _cannot_write(path: Path, error: OSError) -> errors.Unusable:
    return errors.Unusable(f"cannot write {path}: {error.strerror}.")
