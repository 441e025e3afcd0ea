"""The one thread of the training process that talks to the outside.

Owns that thread, its pace and its end, and the job's announcement; what it does in a turn is the
broadcast's. Findings reach the alert log even where nobody can watch, and where the thread has
failed or never began. Must not know torch or zmq, nor what the messages mean.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from typing import Final

from gradwatch_agent import endpoints, wire
from gradwatch_agent.alertlog import AlertLog
from gradwatch_agent.link import outlet
from gradwatch_agent.link.announcement import Announcement
from gradwatch_agent.link.broadcast import TICK_S, Broadcast, Heart, Pulse
from gradwatch_agent.remains import Keeper

_IDLE_TICK_S: Final = 0.2
"""Between two turns while nobody watches; also the longest that a new watcher waits
for its answer."""

_START_S: Final = 5.0
"""How long `start` waits for the thread to bind; it takes a millisecond."""

_FAREWELL_S: Final = 0.25
"""How long the end waits for the last frames to leave, should a watcher not read."""

_log = logging.getLogger("gradwatch")


class Publisher:
    """Sends what hooks post, from a daemon thread of its own.

    >>> publisher = Publisher(hello=hello, heart=heart, beat=beat, log=None)
    >>> publisher.start()            # raises if it can neither listen nor write a log
    >>> publisher.post(iteration)    # from any thread; never waits, never raises
    >>> publisher.stop(bye)

    `heart(now)` is called about twice a second, in the publisher's thread; what it returns is
    posted. `beat(lost, rejected, viewers)` then makes the sign of life. `log` is closed at the end;
    `keeper` remembers what was found when the job is gone.
    """

    def __init__(
        self,
        *,
        hello: wire.Hello,
        heart: Heart,
        beat: Pulse,
        log: AlertLog | None,
        keeper: Keeper | None = None,
        endpoint: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._hello, self._log, self._endpoint, self._clock = hello, log, endpoint, clock
        self._broadcast = Broadcast(heart, beat, log, keeper, clock)
        self._announcement: Announcement | None = None
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()
        """Neither a lock that a fork could copy held, nor a descriptor that could run out."""
        self._flushes: deque[threading.Event] = deque()
        self._thread = threading.Thread(target=self._run, name="gradwatch-publisher", daemon=True)
        self._settled = threading.Event()
        """The thread serves, or has failed to."""
        self._serves = False
        self._bye: wire.Bye | None = None
        self.failure: Exception | None = None
        """What switched the publisher off, if something did."""
        self._pid: int | None = None
        """The process that may post; None before the start, after the end, and in a fork."""
        self._alone: int | None = None
        """The process that writes its findings itself, for the thread cannot."""

    def start(self) -> None:
        """Listens, announces the job, starts the thread.

        Raises OSError, or ValueError for a bad endpoint, unless there is a log: then it is told
        that nobody can watch, and what is found still goes there.
        """
        self._pid = os.getpid()
        _silence_in_forks(self)
        try:
            self._thread.start()
        except RuntimeError as error:  # the system's limit on threads
            self._pid = None
            self._settled.set()
            self._go_unwatched(OSError(str(error)))
            self._alone = os.getpid()
            return
        if not self._settled.wait(_START_S):
            self.stop(wire.Bye(at=self._clock(), reason="stopped"), timeout_s=0)
            raise TimeoutError("the publisher's thread did not start in time")
        if self.failure is not None and not self._serves:
            raise self.failure

    def post(self, message: wire.Message) -> None:
        """Leaves a message for the thread; without a lock, for hooks call it."""
        if self._pid == os.getpid():
            if self._broadcast.inbox.put(message):
                self._bell.put(None)
        elif self._alone == os.getpid() and isinstance(message, wire.Finding):
            self._broadcast.log_alone(message)

    def flush(self, timeout_s: float) -> bool:
        """Waits until all that was posted before is journaled, sent and logged."""
        if self._pid != os.getpid():
            return False
        done = threading.Event()
        self._flushes.append(done)
        self._bell.put(None)
        return done.wait(timeout_s)

    def stop(self, bye: wire.Bye, timeout_s: float = 1.0) -> None:
        """Sends what waits and the farewell, then ends the thread. Harmless when repeated."""
        if self._alone == os.getpid() and self._log is not None:
            self._log.close()
        self._alone = None
        if self._pid != os.getpid():
            return
        self._pid = None
        self._bye = bye
        self._bell.put(None)
        if self._thread is not threading.current_thread():
            self._thread.join(timeout_s)
        if self._announcement is not None:
            self._announcement.remove()

    def silence(self) -> None:
        """For a forked child: it has no thread, and sockets and run file are its parent's."""
        self._pid = self._alone = None

    def _run(self) -> None:
        try:
            with contextlib.ExitStack() as closing:
                self._serve(self._open(closing))
        except Exception as error:  # noqa: BLE001  the one guard: training must not notice
            self.failure = error
            if self._serves:
                _log.error("gradwatch: the publisher failed and is off: %r", error)
                _log.debug("gradwatch: where it failed", exc_info=True)
                self._alone, self._pid = self._pid, None
                self._broadcast.log_rest()
        finally:
            self._pid = None
            self._settled.set()

    def _open(self, closing: contextlib.ExitStack) -> outlet.Outlet | outlet.Deaf:
        if self._log is not None:
            closing.callback(self._log.close)
        try:
            with endpoints.alone(self._endpoint):
                places = endpoints.chosen(self._endpoint)
                sockets = outlet.Outlet(places.private, places.public, places.keys)
        except (OSError, ValueError) as error:
            self._go_unwatched(error)
            return outlet.Deaf()
        closing.callback(sockets.close, _FAREWELL_S)
        self._announcement = Announcement(self._hello, places.private, sockets.public)
        closing.callback(self._announcement.remove)
        self._announcement.keep()
        return sockets

    def _go_unwatched(self, error: OSError | ValueError) -> None:
        """Raises the error where there is not even a log."""
        if self._log is None:
            raise error
        _log.warning(
            "gradwatch: nobody can watch this job: %s; findings still go to the log", error
        )

    def _serve(self, sockets: outlet.Outlet | outlet.Deaf) -> None:
        self._broadcast.begin(self._hello)
        self._serves = True
        self._settled.set()
        while self._turn(sockets):
            self._rest(TICK_S if sockets.viewers else _IDLE_TICK_S)

    def _rest(self, longest_s: float) -> None:
        with contextlib.suppress(queue.Empty):
            self._bell.get(timeout=longest_s)
            while True:  # however often it rang
                self._bell.get_nowait()

    def _turn(self, sockets: outlet.Outlet | outlet.Deaf) -> bool:
        """False after the farewell."""
        # Read before the inbox: what was posted before them is then taken in this very turn.
        bye, flushes = self._bye, [self._flushes.popleft() for _ in range(len(self._flushes))]
        self._broadcast.turn(sockets, bye)
        if self._announcement is not None:
            self._announcement.keep()
        for done in flushes:
            done.set()
        return bye is None


def _silence_in_forks(publisher: Publisher) -> None:
    """A fork copies no thread: without this a child would fill an inbox that nobody reads."""
    reference = weakref.ref(publisher)

    def silence() -> None:
        if (copy := reference()) is not None:
            copy.silence()

    os.register_at_fork(after_in_child=silence)
