"""The socket to one job's agent.

Owns it and nothing else: what it carries is the feed's matter. Used by one thread only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import zmq

from gradwatch.model import Event
from gradwatch.sources.feed import Feed, Silence
from gradwatch.sources.keys import ViewerKey
from gradwatch.sources.order import Order
from gradwatch.sources.relay import Front
from gradwatch_agent import wire
from gradwatch_agent.runfile import RunFile

_RECONNECT_MS: Final = 100
_RECONNECT_MAX_MS: Final = 1_000

_WAITING: Final = 512
"""Multipart messages that may wait here; beyond them the agent drops, and the feed asks again.
With such a limit zmq's own heartbeats must stay off: libzmq 4.3.5 aborts the process
(`Assertion failed: _input_stopped`) when one breaks a connection that waits to be read."""

_AT_ONCE: Final = 64
"""Messages read before another job has its turn."""


class Connection:
    """Feeds a feed. `read` when the socket has something, `check` about twice a second.

    `key`: what to show at a door that is locked. `known`, for one that called us: what was heard
    of runs that called before; until its past has come, nobody knows who it is. `front`, for a far
    one: what its bytes come in through.
    """

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        entry: RunFile,
        key: ViewerKey | None = None,
        known: dict[str, Order] | None = None,
        front: Front | None = None,
    ) -> None:
        self.entry, self.front = entry, front
        self._stuck = False
        """At the last check more had come than a message has, and nothing whole."""
        self._called = known is not None
        self._feed = Feed(entry.pid, known=known)
        self._asked = b""
        self.socket = context.socket(zmq.SUB)
        self.socket.set(zmq.LINGER, 0)
        self.socket.set(zmq.RCVHWM, _WAITING)
        self.socket.set(zmq.MAXMSGSIZE, wire.MAX_FRAME_BYTES)
        self.socket.set(zmq.RECONNECT_IVL, _RECONNECT_MS)
        self.socket.set(zmq.RECONNECT_IVL_MAX, _RECONNECT_MAX_MS)
        if key is not None:
            key.show(self.socket)
        self.socket.subscribe(wire.TOPIC)
        self.socket.subscribe(self._feed.topic)
        self.socket.connect(front.endpoint if front else entry.live)

    @property
    def job(self) -> str | None:
        """By what the job is known; None of a caller who has not said so yet."""
        return self._feed.run if self._called else self.entry.run

    @property
    def over(self) -> bool:
        """Nothing more will come."""
        return self._feed.over

    @property
    def is_silent(self) -> bool:
        """It has not been heard of for longer than a beat takes."""
        return self._feed.is_silent

    def read(self) -> Iterator[Event]:
        """What the socket holds now, up to a bound."""
        came, delivered = self.front.gate.came if self.front else 0, False
        try:
            for _ in range(_AT_ONCE):
                parts = self.socket.recv_multipart(zmq.NOBLOCK)
                delivered, self._stuck = True, False
                yield from self._take(parts)
        except zmq.Again:
            if self.front is not None:
                self.front.gate.drained(came, delivered=delivered)
        self._ask()

    def check(self, *, alive: bool, silence: Silence) -> Iterator[Event]:
        """What time tells. `alive`: the job's process exists; `silence`: what is known of it."""
        if self._floods():
            yield from self._feed.flooded()
            return
        yield from self._feed.check(alive=alive, silence=silence)
        if self._feed.waits_in_vain:
            self.socket.unsubscribe(self._feed.topic)
            self._feed.renew()
            self.socket.subscribe(self._feed.topic)
        self._ask()

    def close(self) -> None:
        """Hears no more."""
        self.socket.close(linger=0)

    def _floods(self) -> bool:
        """Whether twice in a row the gate was full and nothing whole had come through: what is
        on its way through libzmq has arrived by then.
        """
        was, self._stuck = self._stuck, self.front is not None and self.front.gate.is_stuck
        return was and self._stuck

    def _take(self, parts: list[bytes]) -> Iterator[Event]:
        if not parts[0].startswith(wire.REPLAY):
            yield from self._feed.live(parts)
        elif parts[0] == self._asked:
            _, _, data = parts[0].removeprefix(wire.REPLAY).partition(b"/")
            yield from self._feed.answer([data, *parts[1:]])

    def _ask(self) -> None:
        """A question is a subscription to its own answer."""
        if (question := self._feed.question()) is not None:
            if self._asked:
                self.socket.unsubscribe(self._asked)
            word = self._feed.topic.removeprefix(wire.KEYFRAME)
            self._asked = wire.REPLAY + word + b"/" + question
            self.socket.subscribe(self._asked)
