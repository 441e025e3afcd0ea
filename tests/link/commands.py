"""The command line as a child process whose lines a test waits for."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GRADWATCH = [sys.executable, "-m", "gradwatch"]
DEADLINE_S = 60
"""Far beyond what anything takes: only a hang reaches it."""


class Command:
    """`said()` and `noted()` give the next line of stdout and of stderr."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def noted(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.readline().rstrip("\n")

    def told_of(self, words: str) -> None:
        """Reads on until a line has these words."""
        while words not in (line := self.said()):
            assert line, f"it ended without {words!r}"

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        return self.process.wait(DEADLINE_S)


@contextmanager
def started(*arguments: str) -> Iterator[Command]:
    with subprocess.Popen(
        [*GRADWATCH, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Command(process)
        finally:
            process.kill()


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*GRADWATCH, *arguments],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        stdin=subprocess.DEVNULL,
    )


def until_logged(log: Path, count: int) -> None:
    """Waits until that many of them are in it."""
    deadline = time.monotonic() + DEADLINE_S
    while len(beginnings(log)) < count:
        assert time.monotonic() < deadline, beginnings(log)
        time.sleep(0.02)


def beginnings(log: Path) -> list[int]:
    """Since when each `Job.findings` in it began: they count up, so that none can be missing. Of a
    line that is just being written, a reader may see a part.
    """
    lines = log.read_text().splitlines(keepends=True) if log.exists() else []
    told = [json.loads(line) for line in lines if line.endswith("\n")]
    return [one["since_iteration"] for one in told if one["kind"] == "graph-chain"]
