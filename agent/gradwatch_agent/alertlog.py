"""Findings appended to a JSONL file: one object a line, each line whole or absent.

Owns the open file: its rotation, its repair after a kill, and what waits while it cannot be
written. Must not know sockets or torch. Used by one thread; written from inside the training
process (GRADWATCH_LOG) and by `gradwatch watch --log`.
"""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from gradwatch_agent import wire

try:
    import fcntl
except ImportError:  # Windows: lines stay whole, only the repair after a kill needs the lock.
    fcntl = None  # type: ignore[assignment]

_WAITING: Final = 1_000
"""Findings kept while the file cannot be written; about 1 MB."""

_RETRY_S: Final = 1.0
"""A full disk is asked again no more often than this, in seconds."""

_LOCK_TRIES: Final = 20
_LOCK_PAUSE_S: Final = 0.001
"""A writer holds the lock for microseconds. One that was killed may have left it to its forked
children for long: after these tries the line is appended without the repair."""

_TAIL_BYTES: Final = 64 * 1024
"""Where the end of the last whole line is looked for; a line is far shorter."""

_HEAD: Final = b'{"type":"finding",'
"""How each line begins. A half line that begins otherwise is not ours to remove."""

_log = logging.getLogger("gradwatch")


class AlertLog:
    """Appends findings to `path`; never raises, never truncates, never joins half lines.

    >>> log = AlertLog(path)
    >>> log.write(finding)
    >>> log.retry()   # now and then; does nothing unless something waits
    >>> log.close()
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path.absolute()
        self._clock = clock
        self._waiting: deque[bytes] = deque()
        self._dropped = 0
        self._handle: int | None = None
        self._failing = False
        self._retry_at = 0.0
        self._attempt()

    def write(self, finding: wire.Finding) -> None:
        """Appends the finding, now or as soon as the file can be written."""
        if len(self._waiting) >= _WAITING:
            self._waiting.popleft()
            self._dropped += 1
        self._waiting.append(_line(finding))
        self.retry()

    def retry(self) -> None:
        """Writes what waits, unless the last failure is too fresh."""
        if self._waiting and (not self._failing or self._clock() >= self._retry_at):
            self._attempt()

    def close(self) -> None:
        """One last try, then the file is closed; what could not be written is said."""
        if self._waiting:
            self._attempt()
        if self._waiting:
            lost = len(self._waiting) + self._dropped
            _log.error("gradwatch: %d findings never reached %s", lost, self._path)
            self._waiting.clear()
        self._let_go()

    def _attempt(self) -> None:
        late = len(self._waiting)
        try:
            self._write_waiting()
        except OSError as error:
            self._say_failing(error)
        else:
            self._say_working(late)

    def _write_waiting(self) -> None:
        """Raises OSError; the lines written until then are no longer waiting."""
        handle = self._opened()
        with _locked(handle) as alone:
            if alone:
                _mend(handle)
            while self._waiting:
                _append(handle, self._waiting[0])
                self._waiting.popleft()

    def _opened(self) -> int:
        """The file now behind the path: rotation by rename means a new one. Raises OSError."""
        if self._handle is not None and not _is_behind(self._path, self._handle):
            self._let_go()
        if self._handle is None:
            # O_NONBLOCK: opening a pipe that nobody reads fails instead of waiting for ever.
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
            self._handle = os.open(self._path, flags, 0o666)
        return self._handle

    def _let_go(self) -> None:
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.close(self._handle)
            self._handle = None

    def _say_failing(self, error: OSError) -> None:
        self._retry_at = self._clock() + _RETRY_S
        if not self._failing:
            self._failing = True
            reason = error.strerror or error
            _log.warning(
                "gradwatch: cannot write alerts to %s: %s; trying on", self._path, reason
            )

    def _say_working(self, late: int) -> None:
        if self._failing:
            lost = f", {self._dropped} were lost" if self._dropped else ""
            _log.warning(
                "gradwatch: alerts reach %s again; %d written late%s", self._path, late, lost
            )
            self._failing, self._dropped = False, 0


def _line(finding: wire.Finding) -> bytes:
    try:
        return msgspec.json.encode(finding) + b"\n"
    except UnicodeEncodeError:  # a file name that is no UTF-8
        return msgspec.json.encode(wire.cleaned(finding)) + b"\n"


def _is_behind(path: Path, handle: int) -> bool:
    """Whether the open file is still the one that the path names."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False


@contextlib.contextmanager
def _locked(handle: int) -> Iterator[bool]:
    """Holds the file against other writers of alerts; yields False where that cannot be had."""
    held = fcntl is not None and any(_try_lock(handle) for _ in range(_LOCK_TRIES))
    try:
        yield held
    finally:
        if held:
            fcntl.flock(handle, fcntl.LOCK_UN)


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(_LOCK_PAUSE_S)
        return False
    except OSError:  # a file system without locks
        return False
    return True


def _append(handle: int, line: bytes) -> None:
    """The whole line or nothing of it. Raises OSError."""
    written = os.write(handle, line)
    if written == len(line):
        return
    end = os.lseek(handle, 0, os.SEEK_CUR)
    if os.fstat(handle).st_size == end:  # nobody wrote behind it
        os.ftruncate(handle, end - written)
    raise OSError(f"only {written} of {len(line)} bytes fit")


def _mend(handle: int) -> None:
    """Removes the half line that a killed writer left; ends with a newline what is not ours.

    Only for who holds the lock, else the half line may be one being written. Raises OSError.
    """
    info = os.fstat(handle)
    if not stat.S_ISREG(info.st_mode) or not info.st_size:
        return
    start = max(0, info.st_size - _TAIL_BYTES)
    tail = os.pread(handle, _TAIL_BYTES, start)
    half = tail[tail.rfind(b"\n") + 1 :]
    if not half:
        return
    if _is_ours(half) and not _is_whole(half):
        os.ftruncate(handle, info.st_size - len(half))
    else:
        _append(handle, b"\n")


def _is_ours(half: bytes) -> bool:
    return half.startswith(_HEAD) or _HEAD.startswith(half)


def _is_whole(half: bytes) -> bool:
    try:
        msgspec.json.decode(half)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
