"""Follows jobs of this machine from a thread of its own and delivers what they say.

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
from gradwatch.sources.targets import TargetNotFound, matches, resolve
from gradwatch_agent import runfile

__all__ = ["Live", "TargetNotFound", "resolve"]

_LOOK_S: Final = 0.5
"""Between two looks for new jobs, dead processes and missing beats."""


class Live:
    """Follows every job of this user on this machine, or the targets (PIDs, job names).

    A job that appears later is picked up. `deliver(key, event)` is called in the source's thread;
    the key is the job's run. Of each job the hello comes first, then all by number.

    >>> source = Live(deliver, ["run-7"])
    >>> source.start()
    >>> source.stop()
    """

    def __init__(
        self, deliver: Callable[[str, Event], None], targets: Sequence[str] | None = None
    ) -> None:
        self._deliver = deliver
        self._targets = frozenset(targets or ())
        self._followed: dict[str, Connection] = {}
        self._owners: dict[zmq.Socket[bytes], Connection] = {}
        self._over: set[str] = set()
        self._poller = zmq.Poller()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="gradwatch-live", daemon=True)

    def start(self) -> None:
        """Raises `runfile.UnsafeDirectory` if the place of the run files cannot be trusted."""
        runfile.running()
        self._bell, self._ringer = socket.socketpair()
        self._thread.start()

    def stop(self, timeout_s: float = 1.0) -> None:
        """Ends the thread. Harmless when repeated, or before the start."""
        self._stopping = True
        if not self._thread.is_alive():
            return
        with contextlib.suppress(OSError):  # closed by the thread's end
            self._ringer.send(b"\0")
        if self._thread is not threading.current_thread():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._poller.register(self._bell, zmq.POLLIN)
        try:
            self._follow(context)
        finally:
            context.destroy(linger=0)
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
        with contextlib.suppress(OSError):  # no trustworthy directory (any more): no new jobs
            for entry in runfile.running():
                known = entry.run in self._followed or entry.run in self._over
                if not known and matches(entry, self._targets):
                    self._add(Connection(context, entry))
        for connection in list(self._followed.values()):
            # What waits is read first: silence is the job's only if none of it was ours.
            self._hand_on(connection, connection.read())
            if not connection.over:
                alive = runfile.alive(connection.entry)
                self._hand_on(connection, connection.check(alive=alive))

    def _ready(self, timeout_s: float) -> list[Connection]:
        ready = self._poller.poll(max(int(timeout_s * 1000), 0))
        owners = [self._owners[which] for which, _ in ready if which in self._owners]
        return list(dict.fromkeys(owners))

    def _hand_on(self, connection: Connection, events: Iterable[Event]) -> None:
        for event in events:
            self._deliver(connection.entry.run, event)
        if connection.over and connection.entry.run in self._followed:
            self._drop(connection)

    def _add(self, connection: Connection) -> None:
        self._followed[connection.entry.run] = connection
        for ours in connection.sockets:
            self._owners[ours] = connection
            self._poller.register(ours, zmq.POLLIN)

    def _drop(self, connection: Connection) -> None:
        self._over.add(connection.entry.run)
        del self._followed[connection.entry.run]
        for ours in connection.sockets:
            del self._owners[ours]
            self._poller.unregister(ours)
        connection.close()
