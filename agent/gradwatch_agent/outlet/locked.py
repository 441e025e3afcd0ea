"""The agent's doors: where viewers come in, are told the past, and from then on each new frame.

Owns zmq on the agent's side: binding, keys, subscriptions, requests, and how many were nonsense
or refused. Must not know messages, threads or clocks: it moves bytes, and asks for the past by
callback.

A viewer subscribes to `TOPIC`, then to `KEYFRAME` plus a word of its own. The second is answered
on that very topic with everything the journal holds and a beat, in one multipart message, which
zmq delivers whole or not at all. What it misses it asks for in the same way (`REPLAY`), so that
one socket, one port and one forwarding are enough. Nothing here waits: to a viewer that does not
read, frames are dropped, and the numbers in them tell it so.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import struct
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import zmq

from gradwatch_agent import wire

_WAITING: Final = 256
"""Multipart messages that may wait for one viewer: 25 s of live frames, at most some MB.
Where they do, zmq's own heartbeats must stay off: libzmq 4.3.5 can abort the whole process
(`Assertion failed: _input_stopped`) when one breaks a connection that waits. Beats do instead."""

_MAX_REQUEST_BYTES: Final = 4_096
"""Largest part accepted from a viewer; a request has 80 bytes."""

_REQUESTS: Final = 32
"""Served in one go; the rest waits, so that a viewer gone mad takes little of the job's time."""

_MAX_VIEWERS: Final = 1_024
_MAX_TOPIC_BYTES: Final = 128

_HANDSHAKE_MS: Final = 5_000
"""How long a stranger on TCP may hold a connection without having shown a key."""

_TRIES: Final = 64
"""Ports (or paths) beyond the one asked for that are tried: the ranks of one machine."""

_DESCRIPTORS: Final = 32
"""That must be free: libzmq aborts the process if one is refused while it starts its threads."""

AGENT: Final = "agent.secret"
"""The agent's key, in the folder that `gradwatch keygen` made."""

VIEWERS: Final = "viewers"
"""The folder in it with the public keys of those who may watch."""

_DOMAIN: Final = "gradwatch"

_ENTRIES: Final = (
    zmq.EVENT_ACCEPTED
    | zmq.EVENT_DISCONNECTED
    | zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
)

Keyframe: TypeAlias = Callable[[], list[bytes]]
Past: TypeAlias = Callable[[wire.Replay], list[bytes]]

_log = logging.getLogger("gradwatch")


class Outlet:
    """Its doors, open. Used by the thread that made it and by no other."""

    def __init__(self, private: str, public: str = "", keys: Path | None = None) -> None:
        """Opens the private door, and one on TCP if asked to, for who is among the keys.

        Raises OSError if it cannot listen, or has not the keys.
        """
        _require_descriptors()
        self._context = zmq.Context()
        try:
            self._doors = [_Door(self._context, private)]
            if public:
                self._doors.append(_LockedDoor(self._context, public, keys or Path()))
        except zmq.ZMQError as error:
            self.close()
            raise OSError(error.errno, f"{error.strerror} ({public or private})") from None
        except OSError:
            self.close()
            raise

    @property
    def viewers(self) -> int:
        """Connected now."""
        return sum(len(door.viewers) for door in self._doors)

    @property
    def rejected(self) -> int:
        """Requests that made no sense, and handshakes refused."""
        return sum(door.rejected for door in self._doors)

    @property
    def public(self) -> str:
        """Where it listens on TCP; empty if it does not."""
        return next((door.endpoint for door in self._doors[1:]), "")

    def publish(self, frames: list[bytes]) -> None:
        """Sends the frames to every viewer, as one message."""
        for door in self._doors:
            if frames and door.viewers:  # who is only just joining gets them with the past
                door.send([wire.TOPIC, *frames])

    def serve(self, keyframe: Keyframe, past: Past) -> None:
        """Answers who came and who asked since the last call."""
        for door in self._doors:
            door.serve(keyframe, past)

    def close(self, linger_s: float = 0.0) -> None:
        """Closes all; waits at most `linger_s` for what was sent to be on its way."""
        self._context.destroy(linger=int(linger_s * 1000))
        for door in getattr(self, "_doors", []):
            door.clear_away()


class _Door:
    """One bound socket, and who watches through it."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str) -> None:
        self.viewers: set[bytes] = set()
        self.rejected = 0
        self._socket = context.socket(zmq.XPUB)
        self._socket.set(zmq.LINGER, 0)
        self._socket.set(zmq.SNDHWM, _WAITING)
        self._socket.set(zmq.RCVHWM, _WAITING)
        self._socket.set(zmq.MAXMSGSIZE, _MAX_REQUEST_BYTES)
        self._socket.set(zmq.XPUB_VERBOSE, 1)  # tell us of a topic that another viewer has too
        self._prepare(context)
        self.endpoint = self._bound(endpoint)

    def _prepare(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        """What must be done before the socket is bound."""

    def _bound(self, endpoint: str) -> str:
        self._socket.bind(endpoint)
        Path(endpoint.removeprefix("ipc://")).chmod(0o600)
        return endpoint

    def clear_away(self) -> None:
        """After the socket was closed."""
        Path(self.endpoint.removeprefix("ipc://")).unlink(missing_ok=True)

    def send(self, parts: list[bytes]) -> None:
        """To all who subscribed to the first part; dropped where one does not read."""
        self._socket.send_multipart(parts, zmq.NOBLOCK)

    def serve(self, keyframe: Keyframe, past: Past) -> None:
        """Answers what has come in, up to a bound."""
        for parts in _received(self._socket):
            if not self._subscription(parts, keyframe, past):
                self.rejected += 1

    def _subscription(self, parts: list[bytes], keyframe: Keyframe, past: Past) -> bool:
        """Whether the message was one that a viewer of ours sends."""
        joins, topic = parts[0][:1] == b"\x01", parts[0][1:]
        if len(parts) != 1 or parts[0][:1] not in (b"\x00", b"\x01"):
            return False
        if topic == wire.TOPIC:
            return True
        if len(topic) > _MAX_TOPIC_BYTES:
            return False
        if topic.startswith(wire.REPLAY):
            return not joins or self._replay(topic, past)
        if not topic.startswith(wire.KEYFRAME):
            return False
        if not joins:
            self.viewers.discard(topic)
        elif len(self.viewers) < _MAX_VIEWERS:
            self.viewers.add(topic)
            self.send([topic, *keyframe()])
        return True

    def _replay(self, topic: bytes, past: Past) -> bool:
        _, _, data = topic.removeprefix(wire.REPLAY).partition(b"/")
        try:
            request = wire.decode_request(data)
        except wire.Undecodable:
            return False
        self.send([topic, *past(request)])
        return True


class _LockedDoor(_Door):
    """One on TCP: encrypted, and open only to viewers whose public key is in the folder."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str, keys: Path) -> None:
        self._keys = keys
        super().__init__(context, endpoint)

    def serve(self, keyframe: Keyframe, past: Past) -> None:
        """Lets in whom the keys allow, counts whom they do not, and answers the rest."""
        for parts in _received(self._authenticator.zap_socket):
            self._authenticator.configure_curve(_DOMAIN, self._keys / VIEWERS)  # may have changed
            with contextlib.suppress(StopIteration):  # a coroutine that never waits for anything
                self._authenticator.handle_zap_message(parts).send(None)
        for what, _ in _received(self._entries):
            self._entered(*struct.unpack("=HI", what))
        super().serve(keyframe, past)

    def _entered(self, event: int, value: int) -> None:
        """Counts who was refused, and who spoke no ZeroMQ at all: those only disconnect."""
        if event == zmq.EVENT_ACCEPTED:
            self._unsettled.append(value)
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
                _log.warning(told, self.endpoint)

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
        self._unsettled: deque[int] = deque(maxlen=_MAX_VIEWERS)
        self._entries = self._socket.get_monitor_socket(_ENTRIES)
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


def _received(source: zmq.Socket[bytes]) -> Iterator[list[bytes]]:
    """What has come in, up to a bound."""
    for _ in range(_REQUESTS):
        if not int(source.get(zmq.EVENTS)) & zmq.POLLIN:  # cheaper than to catch an exception
            return
        yield source.recv_multipart(zmq.NOBLOCK)


def _require_descriptors() -> None:
    """Raises OSError if the process has not enough left."""
    held: list[int] = []
    try:
        held.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(_DESCRIPTORS))
    finally:
        for one in held:
            os.close(one)
