"""One bound socket, and who watches through it: the private door is no more than this.

Owns subscriptions, requests and their bounds. Must not know who may come in.
"""

from __future__ import annotations

import contextlib
import logging
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

_FLOOD: Final = 8_192
"""Requests that wait, or topics subscribed to, beyond which a viewer has gone mad: libzmq takes in
all it is sent and keeps every topic, so that only a closed door ends it."""

MAX_VIEWERS: Final = 1_024
_MAX_TOPIC_BYTES: Final = 128

Keyframe: TypeAlias = Callable[[], list[bytes]]
Past: TypeAlias = Callable[[wire.Replay], list[bytes]]


_log = logging.getLogger("gradwatch")


class Door:
    """One bound socket, and who watches through it."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str) -> None:
        self.viewers: set[bytes] = set()
        self.rejected = 0
        self.shut = False
        """For good: a viewer has gone mad."""
        self._waiting: deque[list[bytes]] = deque()
        self._topics = 0
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
        if self.shut:
            return
        self._take_in()
        if self._is_flooded():
            self._shut()
        for _ in range(min(_REQUESTS, len(self._waiting))):
            if not self._subscription(self._waiting.popleft(), keyframe, past):
                self.rejected += 1

    def _take_in(self) -> None:
        """All that has come; at each look libzmq takes in more, so that none may be left there."""
        if not int(self._socket.get(zmq.EVENTS)) & zmq.POLLIN:  # cheaper than an exception
            return
        with contextlib.suppress(zmq.Again):
            while len(self._waiting) <= _FLOOD:
                parts = self._received()
                self._waiting.append(parts)
                if parts[0][1:] != wire.TOPIC:  # of which one leave stands for all
                    self._topics += {b"\x01": 1, b"\x00": -1}.get(parts[0][:1], 0)

    def _received(self) -> list[bytes]:
        """One whole message. Raises `zmq.Again` if there is none."""
        return self._socket.recv_multipart(zmq.NOBLOCK)

    def _is_flooded(self) -> bool:
        """Whether a viewer sends what libzmq would keep without end."""
        return len(self._waiting) > _FLOOD or self._topics > _FLOOD

    def _shut(self) -> None:
        """Nobody watches through it any more; training goes on, and so does the log."""
        self.shut = True
        self._socket.close(0)
        self._waiting.clear()
        self.viewers.clear()
        _log.warning("gradwatch: a viewer floods this job with requests; its socket is closed")

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
        elif len(self.viewers) < MAX_VIEWERS:
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


def received(source: zmq.Socket[bytes]) -> Iterator[list[bytes]]:
    """What has come in, up to a bound."""
    for _ in range(_REQUESTS):
        if not int(source.get(zmq.EVENTS)) & zmq.POLLIN:  # cheaper than to catch an exception
            return
        yield source.recv_multipart(zmq.NOBLOCK)
