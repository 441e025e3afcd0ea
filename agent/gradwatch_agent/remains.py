"""What is left of a run that has ended: what was found in it, one small private file a run.

A job dies in the night, and nobody watched. Owns the folder, the file and how long it is kept. Of
a run in which nothing was found there is none. Must not know sockets or torch; the agent writes,
`gradwatch report` reads.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from gradwatch_agent import runfile, wire

_MOST_FILES: Final = 64
"""Runs that are remembered, the newest ones."""

_MOST_FINDINGS: Final = 64
"""Of one run."""

_DATED_S: Final = 10.0
"""Between two dates of a living run's file: nobody asks more exactly when a job was killed."""

MAX_BYTES: Final = 4_000_000
"""Largest file that is read; a finding with its source takes some 5 kB."""


class Remains(msgspec.Struct, frozen=True):
    """Findings in their newest state, in the order they were raised. `bye` is missing where the
    process was killed, or still runs. `heard`: when there was a last sign of life, by the file's
    date; seconds since the epoch.
    """

    hello: wire.Hello
    findings: tuple[wire.Finding, ...]
    bye: wire.Bye | None = None
    heard: float = 0.0

    def is_of(self, job: str) -> bool:
        """Whether these words name the run: by its job, its PID or its id."""
        hello = self.hello
        return job in {hello.job, f"{hello.job}/{hello.rank}", str(hello.pid), hello.run}


def directory() -> Path:
    """Where they are: not where run files are, for that is cleared when the user logs out."""
    if chosen := os.environ.get("GRADWATCH_RUN_DIR"):
        return Path(chosen) / "ended"
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "gradwatch"


def _ensured() -> Path:
    """The same, made if need be. Raises OSError, also where it is not ours alone."""
    folder = directory()
    if folder.parent == runfile.directory():
        runfile.ensure_directory()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    runfile.check_directory(folder)
    return folder


class Keeper:
    """Of one run; for one thread. Where nothing can be written, nothing is kept: never raises."""

    def __init__(self, hello: wire.Hello) -> None:
        self._hello = hello
        self._findings: dict[str, wire.Finding] = {}
        self._file: Path | None = None
        self._dated_at = 0.0

    def take(self, findings: Iterable[wire.Finding]) -> None:
        """Keeps the newest state of each."""
        before = self._findings.copy()
        for finding in findings:
            if finding.id in before or len(self._findings) < _MOST_FINDINGS:
                self._findings[finding.id] = finding
        if self._findings != before:
            self._write(None)

    def lives(self, now: float) -> None:
        """The run goes on, which the file's date tells, now and then. `now` is monotonic."""
        if self._file is not None and now - self._dated_at >= _DATED_S:
            self._dated_at = now
            with contextlib.suppress(OSError):  # cleared away by other runs
                os.utime(self._file)

    def close(self, bye: wire.Bye) -> None:
        """The run has ended."""
        if self._findings:
            self._write(bye)

    def _write(self, bye: wire.Bye | None) -> None:
        whole = Remains(self._hello, tuple(self._findings.values()), bye)
        with contextlib.suppress(OSError, RuntimeError):  # the latter: there is no home
            folder = _ensured()
            file = folder / f"{self._hello.run}.json"
            runfile.put(file, _encoded(whole))
            self._file = file
            _clear(folder)


def _encoded(whole: Remains) -> bytes:
    try:
        return msgspec.json.encode(whole)
    except UnicodeEncodeError:  # a file name that is no UTF-8
        return msgspec.json.encode(_cleaned(whole))


def _clear(folder: Path) -> None:
    """Only the newest stay."""
    files = sorted(folder.glob("*.json"), key=_age, reverse=True)
    for old in files[_MOST_FILES:]:
        old.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another run has just cleared it away
        return 0.0


def kept() -> list[Remains]:
    """Of all runs that are remembered, the one last heard of first. None from a folder that is
    not ours alone.
    """
    folder = directory()
    try:
        runfile.check_directory(folder)
    except OSError:
        return []
    files = sorted(folder.glob("*.json"), key=_age, reverse=True)
    return [remains for file in files if (remains := read(file)) is not None]


def read(path: Path) -> Remains | None:
    """One file; None if it is gone, broken, or something else."""
    try:
        info = path.stat()
        whole = parse(path.read_bytes()) if info.st_size <= MAX_BYTES else None
    except OSError:
        return None
    return None if whole is None else msgspec.structs.replace(whole, heard=info.st_mtime)


def parse(text: bytes) -> Remains | None:
    """What a file says, cleaned; None if it is nothing of the kind."""
    try:
        return _cleaned(msgspec.json.decode(text, type=Remains))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _cleaned(whole: Remains) -> Remains:
    return Remains(
        wire.cleaned(whole.hello),
        tuple(wire.cleaned(finding) for finding in whole.findings),
        None if whole.bye is None else wire.cleaned(whole.bye),
    )
