"""The door that goes to its viewer: for machines that nobody can reach from outside.

It shows the same keys and asks for the same as the one on TCP that waits; only who calls whom is
turned around. While no viewer waits there, it calls again and again.
"""

from __future__ import annotations

from typing import Final

import zmq

from gradwatch_agent.link.outlet.locked import LockedDoor

SCHEME: Final = "connect://"

_AGAIN_MS: Final = 500
_AGAIN_MAX_MS: Final = 8_000
"""Between two calls: one refused costs a packet each way."""

_UNHEARD_MS: Final = 15_000
"""A viewer that acknowledges nothing for so long is gone: it may call us no more than we it."""


class CallingDoor(LockedDoor):
    """One that connects to where a viewer waits."""

    def _bound(self, endpoint: str) -> str:
        self._socket.set(zmq.IMMEDIATE, 1)  # a viewer that leaves takes its subscriptions along
        self._socket.set(zmq.RECONNECT_IVL, _AGAIN_MS)
        self._socket.set(zmq.RECONNECT_IVL_MAX, _AGAIN_MAX_MS)
        self._socket.set(zmq.TCP_MAXRT, _UNHEARD_MS)
        self._socket.set(zmq.IPV6, 1)
        self._socket.connect(f"tcp://{endpoint.removeprefix(SCHEME)}")
        return ""
