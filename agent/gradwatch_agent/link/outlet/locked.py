"""The door on TCP: who may come in, and how many were refused.

Owns the keys, the handshakes, the account of what came in, and the port.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import struct
from collections import deque
from pathlib import Path
from typing import Final

import zmq

from gradwatch_agent.link.outlet.door import MAX_VIEWERS, Door, Keyframe, Past, received
from gradwatch_agent.link.outlet.intake import ENDLESS_BYTES, Intake

_HANDSHAKE_MS: Final = 5_000
"""How long a stranger on TCP may hold a connection without having shown a key."""

_RECEIVE_BYTES: Final = 8_192
"""The kernel's buffer for what a viewer sends: requests need no more, and who sends without end
gets slower by it, so that less comes in between two turns."""

_TRIES: Final = 64
"""Ports (or paths) beyond the one asked for that are tried: the ranks of one machine."""

AGENT: Final = "agent.secret"
"""The agent's key, in the folder that `gradwatch keygen` made."""

VIEWERS: Final = "viewers"
"""The folder in it with the public keys of those who may watch."""

_DOMAIN: Final = "gradwatch"

_ENTRIES: Final = (
    zmq.EVENT_ACCEPTED
    | zmq.EVENT_CONNECTED
    | zmq.EVENT_DISCONNECTED
    | zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
)

_log = logging.getLogger("gradwatch")


class LockedDoor(Door):
    """One on TCP: encrypted, and open only to viewers whose public key is in the folder."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str, keys: Path) -> None:
        self._keys, self._asked = keys, endpoint
        super().__init__(context, endpoint)

    def serve(self, keyframe: Keyframe, past: Past) -> None:
        """Lets in whom the keys allow, counts whom they do not, and answers the rest."""
        if self.shut:
            return
        for parts in received(self._authenticator.zap_socket):
            self._authenticator.configure_curve(_DOMAIN, self._keys / VIEWERS)  # may have changed
            with contextlib.suppress(StopIteration):  # a coroutine that never waits for anything
                self._authenticator.handle_zap_message(parts).send(None)
        self._hear_entries()
        super().serve(keyframe, past)

    def _received(self) -> list[bytes]:
        parts = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
        told = [part.bytes for part in parts]
        with contextlib.suppress(zmq.ZMQError):  # the leave of one who is gone came by nothing
            self._intake.took(int(parts[0].get(zmq.SRCFD)), sum(map(len, told)))
        return told

    def _is_flooded(self) -> bool:
        """Also, whether messages are under way that are longer than any viewer's."""
        left = self._intake.unfinished()
        if sum(left.values()) > ENDLESS_BYTES:
            # Whoever left while we looked has said so by now: libzmq tells it before it closes.
            return self._hear_entries() and self._intake.among(left) > ENDLESS_BYTES
        return super()._is_flooded()

    def _shut(self) -> None:
        super()._shut()
        self._authenticator.stop()  # whom it let in libzmq holds, and hears, until it ends as well

    def _hear_entries(self) -> bool:
        """Who came and who left; False if there may be more to hear."""
        for what, _ in received(self._entries):
            event, value = struct.unpack("=HI", what)
            if event in (zmq.EVENT_ACCEPTED, zmq.EVENT_CONNECTED):
                self._intake.opened(value)
            elif event == zmq.EVENT_DISCONNECTED:
                self._intake.closed(value)
            self._entered(event, value)
        return not int(self._entries.get(zmq.EVENTS)) & zmq.POLLIN

    def _entered(self, event: int, value: int) -> None:
        """Counts who was refused, and who spoke no ZeroMQ at all: those only disconnect."""
        if event == zmq.EVENT_ACCEPTED:
            self._unsettled.append(value)
            return
        if event == zmq.EVENT_CONNECTED:
            return
        if event == zmq.EVENT_DISCONNECTED:
            if value not in self._unsettled:
                return
            self._unsettled.remove(value)
        elif self._unsettled:  # whose it is, is not told: the first to come is the first settled
            self._unsettled.popleft()
        if event != zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self.rejected += 1
            if self.rejected == 1:
                told = "gradwatch: someone without an allowed key was refused at %s; now counted"
                _log.warning(told, self.endpoint or self._asked)

    def clear_away(self) -> None:
        """Nothing is left of a port."""

    def _prepare(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        from zmq.auth import load_certificate
        from zmq.auth.base import Authenticator

        try:
            public, secret = load_certificate(self._keys / AGENT)
        except ValueError as error:
            raise OSError(str(error)) from None
        self._authenticator = Authenticator(context, log=logging.getLogger("gradwatch.keys"))
        self._authenticator.start()
        self._unsettled: deque[int] = deque(maxlen=MAX_VIEWERS)
        self._intake = Intake()
        self._entries = self._socket.get_monitor_socket(_ENTRIES)
        self._socket.set(zmq.RCVBUF, _RECEIVE_BYTES)
        self._socket.set(zmq.HANDSHAKE_IVL, _HANDSHAKE_MS)
        self._socket.set(zmq.ZAP_DOMAIN, _DOMAIN.encode())
        self._socket.set(zmq.CURVE_PUBLICKEY, public)
        self._socket.set(zmq.CURVE_SECRETKEY, secret or b"")
        self._socket.set(zmq.CURVE_SERVER, 1)

    def _bound(self, endpoint: str) -> str:
        """The port asked for, or the next free one: of several ranks each must have its own."""
        address, _, port = endpoint.rpartition(":")
        self._socket.set(zmq.IPV6, int("[" in address))
        for number in range(int(port), int(port) + _TRIES):
            try:
                self._socket.bind(f"{address}:{number if int(port) else 0}")
            except zmq.ZMQError as error:  # noqa: PERF203  as rare as a bind
                if error.errno != errno.EADDRINUSE or number + 1 == int(port) + _TRIES:
                    raise
            else:
                break
        bound = self._socket.get(zmq.LAST_ENDPOINT)
        return bound.rstrip(b"\0").decode() if isinstance(bound, bytes) else endpoint
