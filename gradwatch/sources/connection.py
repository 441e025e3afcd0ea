"""The two sockets to one job's agent.

Owns them and nothing else: what they carry is the feed's matter. Used by one thread only.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

import zmq

from gradwatch.model import Event
from gradwatch.sources.feed import Feed
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
    """Feeds a feed. `read` when a socket has something, `check` about twice a second."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], entry: RunFile) -> None:
        self.entry = entry
        self._feed = Feed(entry.pid)
        self._live = _socket(context, zmq.SUB)
        self._live.subscribe(wire.TOPIC)
        self._live.subscribe(self._feed.topic)
        self._live.connect(entry.live)
        self._replay = _socket(context, zmq.DEALER)
        self._replay.set(zmq.IMMEDIATE, 1)  # a question to nobody is asked again, not queued
        self._replay.connect(entry.replay)

    @property
    def sockets(self) -> tuple[zmq.Socket[bytes], zmq.Socket[bytes]]:
        """For a poller."""
        return self._live, self._replay

    @property
    def over(self) -> bool:
        """Nothing more will come."""
        return self._feed.over

    def read(self) -> Iterator[Event]:
        """What the sockets hold now, up to a bound."""
        for parts in _received(self._live):
            yield from self._feed.live(parts)
        for parts in _received(self._replay):
            yield from self._feed.answer(parts)
        self._ask()

    def check(self, *, alive: bool) -> Iterator[Event]:
        """What time tells. `alive`: the job's process exists."""
        yield from self._feed.check(alive=alive)
        if self._feed.waits_in_vain:
            self._live.unsubscribe(self._feed.topic)
            self._feed.renew()
            self._live.subscribe(self._feed.topic)
        self._ask()

    def close(self) -> None:
        """Closes both."""
        self._live.close(linger=0)
        self._replay.close(linger=0)

    def _ask(self) -> None:
        with contextlib.suppress(zmq.Again):
            if (question := self._feed.question()) is not None:
                self._replay.send(question, zmq.NOBLOCK)


def _socket(context: zmq.Context[zmq.Socket[bytes]], kind: int) -> zmq.Socket[bytes]:
    made = context.socket(kind)
    made.set(zmq.LINGER, 0)
    made.set(zmq.RCVHWM, _WAITING)
    made.set(zmq.MAXMSGSIZE, wire.MAX_FRAME_BYTES)
    made.set(zmq.RECONNECT_IVL, _RECONNECT_MS)
    made.set(zmq.RECONNECT_IVL_MAX, _RECONNECT_MAX_MS)
    return made


def _received(source: zmq.Socket[bytes]) -> Iterator[list[bytes]]:
    with contextlib.suppress(zmq.Again):
        for _ in range(_AT_ONCE):
            yield source.recv_multipart(zmq.NOBLOCK)
