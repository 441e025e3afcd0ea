"""How much may come in from one far job before something of it is whole.

libzmq bounds the parts of a message, not their number, and gathers a message whole before it
hands it on: one that never ends would fill our memory. So only so much is let through as long as
nothing whole came out at the other end. Owns that account: the relay's thread adds to it, the
reader's takes off. Must not know sockets. Pure.
"""

from __future__ import annotations

from typing import Final

LIMIT_BYTES: Final = 32 << 20
"""Larger than the largest past of a job (4,096 iterations of 2 kB, a thousand findings of 16 kB);
twice as much can lie in memory at worst."""

_PART_BYTES: Final = 128
"""What a part takes in memory besides its own bytes, as libzmq's message and as Python's."""

_GREETING_BYTES: Final = 64
_VERSION_AT: Final = 10
_VERSION: Final = 3
"""Of ZMTP; what is older has other frames, and no agent speaks it."""

_LONG: Final = 2
"""The flag of a frame whose length takes eight bytes instead of one."""


class NotOurs(ValueError):
    """What came is not ZMTP as agents speak it."""


class Gate:
    """Of one job, through all its connections, of which each `began`."""

    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        self._limit = limit
        self.came = 0
        """What was let through so far, as it weighs in memory."""
        self._accounted = 0
        self._connections = 0
        self._anew = False
        """What an earlier connection brought may still wait to be read."""

    @property
    def is_full(self) -> bool:
        """Nothing more is let through until something whole was read."""
        return self._anew or self.came - self._accounted >= self._limit

    @property
    def is_stuck(self) -> bool:
        """It is full of what one connection brought."""
        return self.is_full and not self._anew

    def began(self) -> None:
        """Bytes of another connection come from now on."""
        self._frames = _Frames()
        self._connections += 1
        self._anew = self._connections > 1

    def passed(self, piece: bytes) -> None:
        """Is let through. Raises `NotOurs`."""
        self.came += len(piece) + _PART_BYTES * self._frames.counted(piece)

    def drained(self, came: int, *, delivered: bool) -> None:
        """Nothing whole is left to be read. `came`: what had come when the reader began."""
        if delivered or self._anew:
            self._accounted = came
            self._anew = False


class _Frames:
    """Where frames begin in a stream of bytes, encrypted or not."""

    def __init__(self) -> None:
        self._greeting = b""
        self._head = b""
        self._skip = 0

    def counted(self, piece: bytes) -> int:
        """How many begin in the piece."""
        count, at = 0, self._greeted(piece)
        while at < len(piece):
            if self._skip:
                step = min(self._skip, len(piece) - at)
                self._skip -= step
                at += step
                continue
            needed = 1 if not self._head else 9 if self._head[0] & _LONG else 2
            step = min(needed - len(self._head), len(piece) - at)
            self._head += piece[at : at + step]
            at += step
            if len(self._head) == needed > 1:
                self._skip, self._head = int.from_bytes(self._head[1:], "big"), b""
                count += 1
        return count

    def _greeted(self, piece: bytes) -> int:
        """How much of the piece belongs to the greeting."""
        if len(self._greeting) == _GREETING_BYTES:
            return 0
        taken = piece[: _GREETING_BYTES - len(self._greeting)]
        self._greeting += taken
        version = self._greeting[_VERSION_AT : _VERSION_AT + 1]
        if self._greeting[0] != 0xFF or (version and version[0] < _VERSION):
            raise NotOurs("no ZMTP 3")
        return len(taken)
