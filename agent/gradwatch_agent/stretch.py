"""A stretch of training watched from within its own process: no socket, no file, full detail.

Owns the session that takes the place of the running one meanwhile; stretches within a stretch,
or in other threads, share it. Must not know what is concluded from the findings.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

import torch  # noqa: F401  first: an agent that waits for it must not find us half imported

from gradwatch_agent import wire
from gradwatch_agent.checking import Checking
from gradwatch_agent.running import begin_instead, end_instead
from gradwatch_agent.session import Session
from gradwatch_agent.settings import Settings


class _Endless(Checking):
    """The detail of a check, without its end and its report."""

    is_all = False

    def __init__(self) -> None:
        super().__init__(sys.maxsize, Path())

    def report(self, iterations: int, *, stopped: bool = False) -> None:
        """Nobody asks."""


@dataclass(slots=True)
class _Notes:
    """What the session says, kept."""

    findings: list[wire.Finding] = field(default_factory=list)
    iterations: dict[int, int] = field(default_factory=dict)
    """By lane: each is written by its own thread alone."""
    backwards: dict[int, int] = field(default_factory=dict)

    def post(self, message: wire.Message) -> None:
        """Keeps what a judgement needs."""
        if isinstance(message, wire.Finding):
            self.findings.append(message)
        elif isinstance(message, wire.Iteration):
            self.iterations[message.lane] = message.number + 1
        elif isinstance(message, wire.Backward):
            self.backwards[message.lane] = self.backwards.get(message.lane, 0) + 1

    def stop(self, bye: wire.Bye) -> None:
        """The session has ended."""


class _Shared:
    """The session of all stretches that are open."""

    def __init__(self) -> None:
        self.notes = _Notes()
        self.session = Session(
            Settings(name="test", budget=1.0), ear=self.notes, checking=_Endless()
        )
        self.stretches = 0
        self._before = begin_instead(self.session)

    def end(self) -> None:
        """The session that ran before goes on."""
        end_instead(self.session, self._before)


_shared: _Shared | None = None
_lock = threading.Lock()


class Stretch:
    """Begins when it is made. Raises `UnsupportedTorch`."""

    def __init__(self) -> None:
        global _shared
        with _lock:
            _shared = self._shared = _shared or _Shared()
            _shared.stretches += 1
        self._notes = self._shared.notes
        self._findings = len(self._notes.findings)
        self._iterations, self._backwards = self._counts()

    def end(self) -> None:
        """What was found, and how much was seen, can be asked from now on."""
        global _shared
        self._iterations, self._backwards = (
            now - before
            for now, before in zip(self._counts(), (self._iterations, self._backwards), strict=True)
        )
        with _lock:
            self._shared.stretches -= 1
            if not self._shared.stretches:
                _shared = None
                self._shared.end()

    def _counts(self) -> tuple[int, int]:
        return sum(self._notes.iterations.values()), sum(self._notes.backwards.values())

    @property
    def iterations(self) -> int:
        """How many iterations ended in it, in all threads."""
        return self._iterations

    @property
    def backwards(self) -> int:
        """How many backwards ended in it, in all threads."""
        return self._backwards

    @property
    def off(self) -> tuple[str, ...]:
        """What of the agent failed."""
        return self._shared.session.off

    def found(self) -> list[wire.Finding]:
        """The findings told in it that still stand, in their newest state, the gravest first."""
        newest = {finding.id: finding for finding in self._notes.findings[self._findings :]}
        standing = [finding for finding in newest.values() if finding.state != "resolved"]
        return sorted(standing, key=lambda finding: -wire.LEVELS.index(finding.level))
