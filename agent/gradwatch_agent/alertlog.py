"""Findings appended to a JSONL file, one object a line.

Owns what waits while the file cannot be written, and what is said about it. Must not know
sockets or torch. Used by one thread: inside the training process (GRADWATCH_LOG), and by
`gradwatch watch --log`.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from gradwatch_agent import wire
from gradwatch_agent.jsonl import Jsonl

_WAITING: Final = 1_000
"""Findings kept while the file cannot be written; about 1 MB."""

_RETRY_S: Final = 1.0
"""A full disk is asked again no more often than this."""

_LOOKED_BACK: Final = 16_000_000
"""Bytes of an older log in which is looked for what is told anew; some 20,000 findings."""

_HEAD: Final = b'{"type":"finding",'
"""How each line begins."""

_log = logging.getLogger("gradwatch")


class AlertLog:
    """Appends findings to a file; never raises. Opens it at once, so that a wrong path is told.

    >>> log = AlertLog(path)
    >>> log.write(finding)
    >>> log.retry()   # now and then; costs nothing unless something waits
    >>> log.close()
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path.absolute()  # the job may change its directory
        self._file = Jsonl(self._path, _HEAD)
        self._clock = clock
        self._waiting: deque[bytes] = deque()
        self._dropped = 0
        self._failing = False
        self._tried_at = 0.0
        self._written: frozenset[int] = frozenset()
        """Hashes of lines that stood there before."""
        self._try()

    def resume(self) -> None:
        """From now on leaves out what the file had by now: for a writer that is told the past
        anew.
        """
        with contextlib.suppress(OSError):
            self._written = frozenset(map(hash, self._file.lines(_LOOKED_BACK)))

    def write(self, finding: wire.Finding) -> None:
        """Appends the finding, now or as soon as the file can be written."""
        line = _line(finding)
        if hash(line) in self._written:
            return
        if len(self._waiting) >= _WAITING:
            self._waiting.popleft()
            self._dropped += 1
        self._waiting.append(line)
        self.retry()

    def retry(self) -> None:
        """Writes what waits, unless the last failure is too fresh."""
        fresh = self._failing and self._clock() - self._tried_at < _RETRY_S
        if self._waiting and not fresh:
            self._try()

    def close(self) -> None:
        """A last try, then the file is closed; what never reached it is said."""
        if self._waiting:
            self._try()
        if unwritten := len(self._waiting) + self._dropped:
            _log.error("gradwatch: findings that never reached %s: %d", self._path, unwritten)
        self._waiting.clear()
        with contextlib.suppress(OSError):
            self._file.close()

    def _try(self) -> None:
        self._tried_at = self._clock()
        late = len(self._waiting)
        try:
            self._file.append(self._waiting)
        except OSError as error:
            if not self._failing:
                reason = error.strerror or error
                _log.warning(
                    "gradwatch: alerts cannot be written to %s: %s; they wait", self._path, reason
                )
            self._failing = True
            return
        if self._failing:
            told = "gradwatch: alerts reach %s again; %d written late, %d lost meanwhile"
            _log.warning(told, self._path, late, self._dropped)
            self._failing, self._dropped = False, 0


def _line(finding: wire.Finding) -> bytes:
    try:
        return msgspec.json.encode(finding) + b"\n"
    except UnicodeEncodeError:  # a file name that is no UTF-8
        return msgspec.json.encode(wire.cleaned(finding)) + b"\n"
