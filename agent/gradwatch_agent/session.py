"""Composes the agent: the only place that knows all its parts.

Owns a session: its start (at once, or in a child process at the first backward), its threads'
lanes, its end. Must not know which session the process runs: see `running`.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from gradwatch_agent import wire
from gradwatch_agent.alertlog import AlertLog
from gradwatch_agent.checking import Checking
from gradwatch_agent.crashes import Crashes
from gradwatch_agent.diagnosis.excerpt import with_source
from gradwatch_agent.endings import Endings
from gradwatch_agent.guard import Guard
from gradwatch_agent.identity import introduce
from gradwatch_agent.lines.capture import Window
from gradwatch_agent.link.heart import Heart
from gradwatch_agent.link.publisher import Publisher
from gradwatch_agent.loop.budget import Budget
from gradwatch_agent.remains import Keeper
from gradwatch_agent.settings import Settings
from gradwatch_agent.torch_seam import Seam
from gradwatch_agent.verdicts import Verdicts
from gradwatch_agent.verdicts.once import Once

if TYPE_CHECKING:
    from gradwatch_agent.loop.doze import Doze
    from gradwatch_agent.loop.lane import Lane

_log = logging.getLogger("gradwatch")

_NOTED = 2
"""Iterations in which every node's line is noted: most second backwards are in the second."""

_LANES = 16
"""Training threads watched; a program with more makes threads as it goes."""

_AT_ONCE = 1
"""Iterations after which a fault shows at the earliest."""


class Ear(Protocol):
    """Takes what a session says, from any thread and without ever blocking."""

    def post(self, message: wire.Message) -> None:
        """A message."""

    def stop(self, bye: wire.Bye) -> None:
        """The last one."""


class Session:
    """One watched process. The seam's listener.

    `ear`: who listens in the publisher's place, within the process.
    """

    def __init__(
        self, settings: Settings, *, ear: Ear | None = None, checking: Checking | None = None
    ) -> None:
        self.settings = settings
        self._ear = ear
        self._guard = Guard(self._failed)
        self._seam = Seam(self, self._guard)
        self._endings = Endings(self._crash, self._finish, self._crash_in_thread)
        self.lanes: dict[int, Lane] = {}
        self.dozes: dict[int, Doze] = {}
        self._publisher: Ear | None = None
        self._window = Window(self._guard)
        self._checking = checking or (
            Checking(settings.check, Path(settings.reports)) if settings.check else None
        )
        self._paused = False
        """The window was open when another session took this one's place."""
        self._opening = threading.Lock()
        self._crashes = Crashes(self.lanes, self._guard, self._checking, self._post)
        self._forget_run()

    def _forget_run(self) -> None:
        """Everything that belongs to one process and not to a child forked from it."""
        self._pid = os.getpid()
        self._hello: wire.Hello | None = None
        self._publisher = None
        self._rest()
        self._once = Once()
        self.lanes.clear()
        self.dozes.clear()
        self._seam.steps.hear()
        self._budget = Budget(self.settings.budget, time.perf_counter())

    def _failed(self, part: str) -> None:
        """A part of the agent is off for good."""
        if part == "hooks":  # else nobody would close it
            self._window.close()

    def install(self) -> None:
        """Hooks torch. Raises `UnsupportedTorch`."""
        self._seam.install()
        self._endings.install()

    def open(self) -> None:
        """Announces the job and starts to publish; a failure leaves training unwatched."""
        with self._opening:
            if self._publisher is None and "publisher" not in self._guard.closed:
                self._guard.call("publisher", self._open)

    def _open(self) -> None:
        hello = self._hello = introduce(self.settings)
        self._publisher = self._ear or self._started(hello)
        if self._publisher is not None:
            self._window.open(_NOTED)

    def _started(self, hello: wire.Hello) -> Publisher | None:
        """None where it can neither listen nor write a log; that is told as what it is."""
        log = AlertLog(Path(self.settings.log)) if self.settings.log else None
        samples = self._checking is None  # a check looks at every iteration, and evenly
        heart = Heart(hello, self.lanes, self._budget, self._guard, leaves_samples=samples)
        publisher = Publisher(
            hello=hello,
            heart=lambda now: self._guard.call("memory", heart.look, now) or (),
            beat=heart.beat,
            log=log,
            keeper=None if self._checking else Keeper(hello),
            endpoint=self.settings.endpoint,
        )
        try:
            publisher.start()
        except (OSError, ValueError) as error:  # whose words are for the user
            _log.warning("gradwatch: nobody can watch this job: %s", error)
            self._guard.close("publisher")
            return None
        return publisher

    def close(self, error: BaseException | None = None) -> None:
        """Takes every hook back and says farewell. `error`: what ended the block, if anything."""
        self._seam.remove()
        self._window.close()
        self._endings.remove()
        if error is not None:
            self._crash(error)
        self._farewell("stopped")

    def _farewell(self, reason: str) -> None:
        publisher, lanes = self._publisher, list(self.lanes.values())  # threads may still begin
        self._rest()
        if publisher is not None and os.getpid() == self._pid:
            last = max((lane.iteration - 1 for lane in lanes), default=-1)
            for lane in lanes:
                self._guard.call("records", lane.flush)
            if self._checking is not None:
                self._guard.call("check", self._checking.report, last + 1)
            publisher.stop(self._crashes.bye(reason, last))
        self._publisher = None

    def put_aside(self) -> None:
        """Sees and says nothing more of training, until it is taken up again."""
        self._paused = self._window.pause()
        self._rest()
        self._guard.close("hooks")

    def _rest(self) -> None:
        """Every lane lets go of the iteration under way: nothing of the user's is traced on."""
        for lane in list(self.lanes.values()):
            self._guard.call("rest", lane.rest)

    def take_up(self) -> None:
        """Goes on where it was put aside; the time between is nobody's iteration."""
        self._guard.reopen("hooks")
        if self._paused:
            self._window.resume()
        for lane in list(self.lanes.values()):
            lane.records.ended = time.perf_counter()

    @property
    def off(self) -> tuple[str, ...]:
        """The parts of the agent that failed, with their first error."""
        return self._guard.off

    @property
    def private(self) -> bool:
        """Whether it watches for someone within the process, who alone ends it."""
        return self._ear is not None

    def forked(self) -> None:
        """In a child process: nothing of the parent's is ours; a backward here starts anew."""
        self._opening = threading.Lock()
        self._window.close()
        self._forget_run()

    # The seam's listener: in the training thread.

    def lane(self) -> Lane | None:
        """The calling thread's lane, made at its first backward."""
        ident = threading.get_ident()
        lane = self.lanes.get(ident)
        if lane is None:
            if self._publisher is None:
                self.open()
            with self._opening:  # threads begin at once: no two lanes have one number
                lane = self._new_lane(ident)
        return lane

    def forget(self, serial: int) -> None:
        """That optimizer is gone."""
        for lane in list(self.lanes.values()):
            lane.forget(serial)

    def marked(self) -> None:
        """The script says that an iteration is over."""
        if (lane := self.lane()) is not None:
            self._guard.call("hooks", lane.marked)

    def _new_lane(self, ident: int) -> Lane | None:
        if self._hello is None or len(self.lanes) >= _LANES:
            return None
        from gradwatch_agent.loop.lane import Lane  # most of the agent: not before it is needed

        lane = self.lanes[ident] = Lane(
            len(self.lanes),
            Verdicts(self._hello, thorough=self._checking is not None),
            self._budget,
            self._window,
            self._guard,
            self._post,
            self._seam.steps,
            self._checking,
        )
        self.dozes[ident] = lane.doze
        self._seam.steps.hear()  # another thread may have had no need
        return lane

    def _post(self, message: wire.Message) -> None:
        if self._publisher is not None:
            if isinstance(message, wire.Finding):
                if not self._once.admits(message):
                    return
                late = self._hello is not None and self._hello.attached
                message = with_source(_hedged(message) if late else message)
            self._publisher.post(message)

    # The end.

    def _crash(self, error: BaseException) -> None:
        if os.getpid() == self._pid:
            self._crashes.tell(error, self._hello)

    def _crash_in_thread(self, error: BaseException) -> None:
        """It ends that thread alone; worth a word only if that one trained."""
        if threading.get_ident() in self.lanes:
            self._crash(error)

    def _finish(self) -> None:
        self._farewell("finished")


def _hedged(finding: wire.Finding) -> wire.Finding:
    """A finding of a process that was entered: what is seen at once may be older."""
    if finding.since_iteration > _AT_ONCE or finding.state == "resolved":
        return finding
    older = f"{finding.message} It may have begun before gradwatch was attached."
    return msgspec.structs.replace(finding, message=older)
