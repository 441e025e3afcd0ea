"""The jobs of this user on this machine, by their run files.

Owns what a PID or a name means here, and who is still alive. Must not know sockets' contents.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import psutil

from gradwatch.sources.feed import Silence
from gradwatch.sources.keys import ViewerKey
from gradwatch.sources.targets import matches
from gradwatch_agent import runfile
from gradwatch_agent.runfile import RunFile

_PROBE_S: Final = 3.0
"""Between two trials whether a silent process still listens: each leaves it one to drop."""


class Here:
    """Every job on this machine, or the targets (PIDs, job names); later ones too."""

    key: ViewerKey | None = None
    called_at = ""

    def __init__(self, targets: Sequence[str] = ()) -> None:
        self._targets = frozenset(targets)
        self._probed: dict[str, tuple[float, bool]] = {}
        """When a silent job was last tried, and whether it listened."""

    def jobs(self) -> list[RunFile]:
        """Raises `UnsafeDirectory` where run files cannot be trusted."""
        return [entry for entry in runfile.running() if matches(entry, self._targets)]

    def alive(self, entry: RunFile, *, silent: bool) -> bool:
        """The process lives, and has not become another program."""
        if not runfile.alive(entry):
            return False
        now = time.monotonic()
        tried_at, listened = self._probed.get(entry.run, (0.0, True))
        if silent and now - tried_at >= _PROBE_S:
            listened = runfile.listens(entry)
            self._probed[entry.run] = now, listened
        return listened or not silent

    def silence(self, entry: RunFile) -> Silence:
        """A process that is stopped says so itself, to the kernel."""
        return Silence.of_stopped(entry.pid) if _is_stopped(entry.pid) else Silence()

    def ended(self, entry: RunFile) -> None:
        """One that became another program left its run file behind."""
        if not runfile.listens(entry):
            runfile.remove(entry)

    def stop(self) -> None:
        """Nothing was set up."""


def _is_stopped(pid: int) -> bool:
    """Whether a signal has stopped the process of this machine: SIGSTOP, or ctrl+Z."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)
    except psutil.Error:
        return False
