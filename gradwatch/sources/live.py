"""Follows jobs, here and elsewhere, from a thread of its own and delivers what they say.

Owns the thread, the search for jobs, and who is followed. Must not know what becomes of the
events: they go to one callback, in this thread.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import zmq

from gradwatch.model import Event
from gradwatch.sources.connection import Connection
from gradwatch.sources.feed import Silence
from gradwatch.sources.here import Here
from gradwatch.sources.order import Order
from gradwatch.sources.place import Place
from gradwatch.sources.relay import Relay
from gradwatch.sources.targets import TargetNotFound, resolve
from gradwatch_agent import runfile
from gradwatch_agent.runfile import RunFile

__all__ = ["Live", "TargetNotFound", "resolve"]

_LOOK_S: Final = 0.5
"""Between two looks for new jobs, dead processes and missing beats."""


class Live:
    """Follows every job of this user on this machine, or the targets (PIDs, job names) here; or
    what is to be followed in those places.

    A job that appears later is picked up. `deliver(key, event)` is called in the source's thread;
    the key is the job's run. Of each job the hello comes first, then all by number.

    >>> source = Live(deliver, ["run-7"])
    >>> source.start()
    >>> source.stop()
    """

    def __init__(
        self,
        deliver: Callable[[str, Event], None],
        targets: Sequence[str] | None = None,
        *,
        places: Sequence[Place] | None = None,
    ) -> None:
        self._deliver = deliver
        self._places: list[Place] = [Here(targets or ())] if places is None else list(places)
        self._followed: dict[str, tuple[Place, Connection]] = {}
        self._owners: dict[zmq.Socket[bytes], Connection] = {}
        self._over: set[str] = set()
        self._known: dict[str, Order] = {}
        """What was heard of jobs that call us, who may call again."""
        self._relay = Relay()
        self._poller = zmq.Poller()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="gradwatch-live", daemon=True)

    def start(self) -> None:
        """Raises `runfile.UnsafeDirectory` if the place of the run files cannot be trusted."""
        if any(isinstance(place, Here) for place in self._places):
            runfile.running()
        self._bell, self._ringer = socket.socketpair()
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Ends the thread. Harmless when repeated, or before the start."""
        self._stopping = True
        if self._thread.is_alive():
            with contextlib.suppress(OSError):  # closed by the thread's end
                self._ringer.send(b"\0")
            if self._thread is not threading.current_thread():
                self._thread.join(timeout_s)
        for place in self._places:
            place.stop()

    def _run(self) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._poller.register(self._bell, zmq.POLLIN)
        try:
            self._follow(context)
        finally:
            context.destroy(linger=0)
            self._relay.stop()
            self._bell.close()
            self._ringer.close()

    def _follow(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        look_at = time.monotonic()
        while not self._stopping:
            if time.monotonic() >= look_at:
                look_at = time.monotonic() + _LOOK_S
                self._look(context)
            for connection in self._ready(look_at - time.monotonic()):
                self._hand_on(connection, connection.read())

    def _look(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        """For new jobs, and after those we follow."""
        for place in self._places:
            with contextlib.suppress(OSError):  # no trustworthy directory (any more): no new jobs
                for entry in place.jobs():
                    if entry.run not in self._followed and entry.run not in self._over:
                        self._add(place, self._connected(context, place, entry))
        for place, connection in list(self._followed.values()):
            # What waits is read first: silence is the job's only if none of it was ours.
            self._hand_on(connection, connection.read())
            if not connection.over:
                silent = connection.is_silent
                alive = place.alive(connection.entry, silent=silent)
                silence = place.silence(connection.entry) if silent else Silence()
                self._hand_on(connection, connection.check(alive=alive, silence=silence))

    def _connected(
        self, context: zmq.Context[zmq.Socket[bytes]], place: Place, entry: RunFile
    ) -> Connection:
        """Straight to a job of our own user here; it could do us any harm without a socket."""
        known = self._known if place.called_at else None
        front = None if isinstance(place, Here) else self._relay.front(entry.live)
        return Connection(context, entry, place.key, known, front)

    def _ready(self, timeout_s: float) -> list[Connection]:
        ready = self._poller.poll(max(int(timeout_s * 1000), 0))
        return [self._owners[which] for which, _ in ready if which in self._owners]

    def _hand_on(self, connection: Connection, events: Iterable[Event]) -> None:
        stranger = connection.job is None
        for event in events:
            if (job := connection.job) is not None:
                self._deliver(job, event)
        if stranger and connection.job is not None:
            self._drop_former(connection)
        if connection.over and connection.entry.run in self._followed:
            self._drop(connection)

    def _add(self, place: Place, connection: Connection) -> None:
        self._followed[connection.entry.run] = place, connection
        self._owners[connection.socket] = connection
        self._poller.register(connection.socket, zmq.POLLIN)

    def _drop_former(self, connection: Connection) -> None:
        """The call in whose place this one came."""
        for _, other in list(self._followed.values()):
            if other is not connection and other.job == connection.job:
                self._drop(other)

    def _drop(self, connection: Connection) -> None:
        self._over.add(connection.entry.run)
        place, _ = self._followed.pop(connection.entry.run)
        del self._owners[connection.socket]
        self._poller.unregister(connection.socket)
        connection.close()
        if connection.front is not None:
            self._relay.close(connection.front)
        place.ended(connection.entry)
