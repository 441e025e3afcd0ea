"""One turn of the publisher's thread: what waited is folded, logged, journaled, sent; who asks is
answered.

Findings reach the alert log before anything else is tried with them. Must not know threads, torch
or zmq, nor what the messages mean.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from gradwatch_agent import wire
from gradwatch_agent.alertlog import AlertLog
from gradwatch_agent.journal import Journal
from gradwatch_agent.link import outlet
from gradwatch_agent.link.inbox import Inbox, fold, thin
from gradwatch_agent.remains import Keeper

TICK_S: Final = 0.1
"""Between two turns while somebody watches: as fast as a screen is read. Halving it doubles what
the thread costs; a finding does not wait for it."""

_BEAT_S: Final = 0.5
"""Between two beats; a watcher misses several before it calls a job lost."""

_ITERATIONS_PER_S: Final = 400
_BACKWARDS_PER_S: Final = 400
"""Records sent one by one, 40 a tick: more than a screen can show, and each takes the agent some
8 us, to fold two into one 1 us."""

_FEW: Final = 8
"""Viewers; what each further one costs is saved by folding more, so that a crowd costs the job
no more than a few: who looks at a hundred ranks at once sees no single iteration."""

Heart: TypeAlias = Callable[[float], Sequence[wire.Message]]
Pulse: TypeAlias = Callable[[int, int, int], wire.Beat]


class Broadcast:
    """`inbox` is filled by others; all else is for one thread alone, but `log_alone`.

    `heart(now)` is called about twice a second; what it returns is sent. `beat(lost, rejected,
    viewers)` then makes the sign of life.
    """

    def __init__(
        self,
        heart: Heart,
        beat: Pulse,
        log: AlertLog | None,
        keeper: Keeper | None,
        clock: Callable[[], float],
    ) -> None:
        self.inbox = Inbox()
        self._heart, self._beat, self._clock = heart, beat, clock
        self._log, self._keeper = log, keeper
        self._journal = Journal()
        self._taken_at = self._beaten_at = time.monotonic() - _BEAT_S
        self._writing = threading.Lock()

    def begin(self, hello: wire.Hello) -> None:
        """The first record of all."""
        self._journal.append(hello)

    def turn(self, sockets: outlet.Outlet | outlet.Deaf, bye: wire.Bye | None) -> None:
        """Takes, sends, answers; with a farewell, for the last time."""
        frames = self._drained(sockets.viewers)
        if bye is not None:
            if self._keeper is not None:
                self._keeper.close(bye)
            frames.append(self._journal.append(bye))
        elif time.monotonic() - self._beaten_at >= _BEAT_S:
            self._beaten_at = time.monotonic()
            told = self._heart(self._clock())
            self._logged(told)
            frames += map(self._journal.append, told)
            frames.append(self._pulse(sockets))
            if self._keeper is not None:
                self._keeper.lives(self._beaten_at)
        sockets.publish(frames)
        sockets.serve(lambda: [*self._journal.keyframe(), self._pulse(sockets)], self._replayed)
        if self._log is not None:
            self._log.retry()

    def log_rest(self) -> None:
        """The findings that wait go to the log: there will be no other turn."""
        self._logged(self.inbox.take()[1])

    def log_alone(self, finding: wire.Finding) -> None:
        """From any thread; only where there are no turns."""
        with self._writing:
            self._logged([finding])

    def _drained(self, viewers: int) -> list[bytes]:
        """The frames of what waited; in a busy moment, and for many, neighbours are folded."""
        flow, dear = self.inbox.take()
        self._logged(dear)
        now = time.monotonic()
        passed_s, self._taken_at = max(now - self._taken_at, TICK_S), now
        passed_s *= min(1.0, _FEW / max(viewers, 1))
        flow = fold(flow, max(int(passed_s * _ITERATIONS_PER_S), 1))
        flow = thin(flow, max(int(passed_s * _BACKWARDS_PER_S), 1))
        return [self._journal.append(message) for message in (*flow, *dear)]

    def _logged(self, messages: Sequence[wire.Message]) -> None:
        findings = [message for message in messages if isinstance(message, wire.Finding)]
        if self._log is not None:
            for finding in findings:
                self._log.write(finding)
        if self._keeper is not None and findings:
            self._keeper.take(findings)

    def _replayed(self, request: wire.Replay) -> list[bytes]:
        return self._journal.replay(request.since, request.upto)

    def _pulse(self, sockets: outlet.Outlet | outlet.Deaf) -> bytes:
        """The unnumbered sign of life; it also tells a watcher up to where it should know."""
        beat = self._beat(self.inbox.lost, sockets.rejected, sockets.viewers)
        return self._journal.unnumbered(beat)
