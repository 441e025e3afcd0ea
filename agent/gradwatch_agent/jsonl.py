"""A JSONL file that several processes append to: each line whole or absent, whatever dies.

Owns the open file: its rotation by rename, the lock between writers, and the removal of the half
line that a killed writer left. Must not know what the lines say, but for how they begin.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

try:
    import fcntl
except ImportError:  # Windows; lines are whole there too, only the repair needs the lock
    fcntl = None  # type: ignore[assignment]

_LOCK_TRIES: Final = 20
_LOCK_PAUSE_S: Final = 0.001
"""A writer holds the lock for microseconds. One that was killed may have left it to its forked
children for long: after these tries a line is appended without it, and nothing is repaired."""

_TAIL_BYTES: Final = 64 * 1024
"""Where the end of the last whole line is looked for; a line is far shorter."""


class Jsonl:
    """Appends lines that all begin with `head` (a half line that does not is left alone)."""

    def __init__(self, path: Path, head: bytes) -> None:
        self._path, self._head = path, head
        self._handle: int | None = None

    def append(self, lines: deque[bytes]) -> None:
        """Writes and takes off the lines, oldest first; on OSError the rest is still there."""
        handle = self._opened()
        with _locked(handle) as alone:
            if alone:  # else the half line may be one that is just being written
                self._mend(handle)
            while lines:
                _append(handle, lines[0])
                lines.popleft()

    def lines(self, size: int) -> list[bytes]:
        """The whole lines among the file's last `size` bytes. Raises OSError."""
        if not self._path.is_file():
            return []
        with self._path.open("rb") as file:
            start = max(0, file.seek(0, os.SEEK_END) - size)
            file.seek(start)
            lines = file.read(size).splitlines(keepends=True)
        return [line for line in lines[1 if start else 0 :] if line.endswith(b"\n")]

    def close(self) -> None:
        """Closes the file, if it is open; a later `append` opens it again."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            os.close(handle)

    def _opened(self) -> int:
        """The file that the path now names. Raises OSError."""
        if self._handle is not None and not _is_behind(self._path, self._handle):
            self.close()
        if self._handle is None:
            # O_NONBLOCK: a pipe that nobody reads fails then, instead of halting the thread.
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
            self._handle = os.open(self._path, flags, 0o666)
        return self._handle

    def _mend(self, handle: int) -> None:
        """Makes the file end with a whole line: ours is removed if half, any other is ended."""
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            return
        tail = os.pread(handle, _TAIL_BYTES, max(0, info.st_size - _TAIL_BYTES))
        last = tail[tail.rfind(b"\n") + 1 :]
        ours = last.startswith(self._head) or self._head.startswith(last)
        if last and ours and not _is_whole(last):
            os.ftruncate(handle, info.st_size - len(last))
        elif last:
            _append(handle, b"\n")


def _append(handle: int, line: bytes) -> None:
    """The whole line or nothing of it. Raises OSError."""
    written = os.write(handle, line)
    try:
        while written < len(line):  # a full disk: asked for the rest, it says so
            written += os.write(handle, line[written:])
    except OSError:
        end = os.lseek(handle, 0, os.SEEK_CUR)
        if os.fstat(handle).st_size == end:  # nobody has written behind it
            os.ftruncate(handle, end - written)
        raise


@contextlib.contextmanager
def _locked(handle: int) -> Iterator[bool]:
    """Holds the file against other writers; yields False where the lock cannot be had."""
    held = fcntl is not None and any(_try_lock(handle) for _ in range(_LOCK_TRIES))
    try:
        yield held
    finally:
        if held:
            fcntl.flock(handle, fcntl.LOCK_UN)


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held by another writer, or a file system without locks
        time.sleep(_LOCK_PAUSE_S)
        return False
    return True


def _is_behind(path: Path, handle: int) -> bool:
    """Whether the path still names the open file; not so once that was renamed or removed."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False


def _is_whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
