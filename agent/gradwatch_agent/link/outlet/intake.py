"""What came in by each connection of a door on TCP and is not yet a whole message.

libzmq bounds the parts of a message, not their number, and gathers a message whole before it
hands it on: one that never ends fills the memory of the process, and nothing of it is ever seen.
The kernel, though, counts what each connection brought. Owns that account; must not know zmq.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
from typing import Final

ENDLESS_BYTES: Final = 8 << 20
"""Of all connections together; a request has 80 bytes, and a viewer never has many under way. In
encrypted parts, 35 bytes each at least, libzmq needs less than three times as much."""

_ENVELOPE_BYTES: Final = 128
"""Of what a whole message takes on the way besides its own bytes (52 at most), and more: what is
credited too much is lost, what is credited too little would add up over months."""

_COUNTED: Final = struct.Struct("=128xQ")
"""tcpi_bytes_received in Linux's tcp_info, since 4.1."""


class Intake:
    """Of one door, by descriptor. Where the kernel does not count, all is well."""

    def __init__(self) -> None:
        self._handed_on: dict[int, int] = {}

    def opened(self, descriptor: int) -> None:
        """A connection begins."""
        self._handed_on[descriptor] = 0

    def closed(self, descriptor: int) -> None:
        """It has ended, and libzmq has let go of what it held of it."""
        self._handed_on.pop(descriptor, None)

    def took(self, descriptor: int, size: int) -> None:
        """A whole message of that size was handed on."""
        if descriptor in self._handed_on:
            self._handed_on[descriptor] += size + _ENVELOPE_BYTES

    def unfinished(self) -> dict[int, int]:
        """Bytes of each connection that no whole message accounts for."""
        left = {}
        for descriptor, handed_on in self._handed_on.items():
            came = _came(descriptor)
            self._handed_on[descriptor] = min(handed_on, came)  # nothing is saved up
            left[descriptor] = max(came - handed_on, 0)
        return left

    def among(self, left: dict[int, int]) -> int:
        """The sum for those that are still open; the descriptor of another may be anyone's now."""
        return sum(size for descriptor, size in left.items() if descriptor in self._handed_on)


def _came(descriptor: int) -> int:
    """Bytes that the kernel has received for a TCP connection; 0 if it does not say."""
    if not sys.platform.startswith("linux"):
        return 0
    with contextlib.suppress(OSError, struct.error):
        borrowed = socket.socket(fileno=descriptor)
        try:
            told = borrowed.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _COUNTED.size)
        finally:
            borrowed.detach()
        return int(_COUNTED.unpack(told)[0])
    return 0
