"""One job as its frames tell it: bytes in, events out, in order.

Owns what was heard of one agent: whether its past has come, what is missing and asked for, and
whether it still speaks. Must not know sockets or threads; the clocks come in by argument.

How the agent answers is told in `gradwatch_agent.link.outlet`.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gradwatch.model import Event, Link, Trouble
from gradwatch.sources.order import Order
from gradwatch_agent import wire

_QUIET_S: Final = 3.0
"""Six beats. Much longer than training can keep the interpreter from the agent's thread."""

_ANSWER_S: Final = 1.0
_TRIES: Final = 3
"""An answer takes one tick of the agent, 0.2 s at most; after so many tries the rest is lost."""

_GRACE_S: Final = 0.25
"""What a process wrote before it died is still read, before it is called gone."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A request for missing frames, under way."""

    range: wire.Replay
    data: bytes
    at: float
    unanswered: int = 0
    """How often the agent was heard since, but gave no answer. What a broken connection swallowed
    does not count: the agent still has it."""

    def is_due(self, now: float) -> bool:
        """Its answer should have come."""
        return now - self.at >= _ANSWER_S

    def in_vain(self, now: float, heard_at: float) -> bool:
        """It was asked often enough."""
        return self.is_due(now) and self._missed(heard_at) >= _TRIES

    def again(self, now: float, heard_at: float) -> _Question:
        """Asked once more."""
        return replace(self, at=now, unanswered=self._missed(heard_at))

    def _missed(self, heard_at: float) -> int:
        return self.unanswered + (heard_at > self.at)


@dataclass(frozen=True, slots=True)
class Silence:
    """What is known of why a job is not heard."""

    why: str = ""
    """Empty if nothing is."""
    paused: bool = False
    """Its process was stopped by a signal."""

    @classmethod
    def of_stopped(cls, pid: int) -> Silence:
        """A process that a signal has stopped (SIGSTOP, ctrl+Z)."""
        return cls(f"process {pid} is stopped; `kill -CONT {pid}` lets it go on", paused=True)


_UNKNOWN: Final = Silence()


class Feed:
    """Give it what the sockets receive (`live`, `answer`), and `check` it about twice a second.

    `topic` is to be subscribed to besides `wire.TOPIC`; `question()` is to be asked when not None.
    `known`: what was heard of runs before, which may come again over another connection.
    """

    def __init__(
        self,
        pid: int,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        known: dict[str, Order] | None = None,
    ) -> None:
        self._pid, self._clock, self._wall = pid, clock, wall
        self._order, self._known = Order(), known if known is not None else {}
        self.run: str | None = None
        """Whose past has come."""
        self._joined = False
        self._told_link: tuple[bool, bool] | None = None
        """Whether it was up, and whether paused, when that was last told."""
        self._question: _Question | None = None
        self._bye: wire.Bye | None = None
        self._gone_at: float | None = None
        self._seen_at = clock()
        self.over = False
        """It said farewell, or its process is gone: nothing more will come."""
        self.renew()

    def renew(self) -> None:
        """Asks for the past under a fresh topic."""
        self.topic = wire.KEYFRAME + secrets.token_hex(8).encode()
        self._renewed_at = self._clock()

    @property
    def waits_in_vain(self) -> bool:
        """The past was asked for so long ago that it should be asked for anew."""
        return not self._joined and self._clock() - self._renewed_at > _QUIET_S

    def live(self, parts: Sequence[bytes]) -> Iterator[Event]:
        """What came in of its own."""
        self._seen_at = self._clock()
        topic, *rest = parts
        frames, trouble = _frames(rest)
        if topic == self.topic:
            yield from self._past(frames)
        elif topic == wire.TOPIC and self._joined:
            yield from self._link(up=True)
            yield from self._news(frames)
        elif topic != wire.TOPIC and not topic.startswith(wire.KEYFRAME):
            trouble = Trouble(garbage=1)
        yield from self._farewell()
        if trouble != Trouble():
            yield trouble

    def answer(self, parts: Sequence[bytes]) -> Iterator[Event]:
        """What came in because it was asked for."""
        echo, *rest = parts
        if self._question is None or echo != self._question.data:
            return  # it came too late
        frames, trouble = _frames(rest)
        upto, self._question = self._question.range.upto, None
        yield from self._filled(frames, upto)
        yield from self._farewell()
        if trouble != Trouble():
            yield trouble

    def question(self) -> bytes | None:
        """The request to send now, if frames are missing and no answer is awaited."""
        asked, now = self._question, self._clock()
        if asked is None:
            gap = self._order.gap if self._joined else None
            if gap is None:
                return None
            self._question = _Question(gap, wire.encode_request(gap), now)
        elif not asked.is_due(now) or asked.in_vain(now, self._seen_at):
            return None
        else:
            self._question = asked.again(now, self._seen_at)
        return self._question.data

    @property
    def is_silent(self) -> bool:
        """Nothing has come for longer than beats take."""
        return self._clock() - self._seen_at > _QUIET_S

    def check(self, *, alive: bool, silence: Silence = _UNKNOWN) -> Iterator[Event]:
        """What time tells. `alive`: the job's process exists; `silence`: what is known of it."""
        now, asked = self._clock(), self._question
        if asked and asked.in_vain(now, self._seen_at):
            self._question = None
            yield from self._filled([], asked.range.upto)
        if alive and self.is_silent:
            why = silence.why or self._silence(now)
            yield from self._link(up=False, why=why, paused=silence.paused)
        if not alive and self._gone_at is None:
            self._gone_at = now
        elif not alive and self._gone_at is not None and now - self._gone_at >= _GRACE_S:
            yield from self._gone()
        yield from self._farewell()

    def flooded(self) -> Iterator[Event]:
        """It sends what never becomes whole, and is not listened to any more."""
        self.over = True
        yield Trouble(endless=1)
        self._told_link = None  # that it is lost may have been told; why, has not
        yield from self._link(up=False, why="it sends a message without end")

    def _past(self, frames: list[wire.Frame]) -> Iterator[Event]:
        """The job's whole past: the hello first, then by number, then the beat that ends it.

        Of a run that was heard of before only what is missing is asked for.
        """
        self._joined = True
        self._recognise(frames)
        upto = max((frame.n for frame in frames), default=0)
        if self._order.newest:
            self._order.heard(upto)
            events: list[Event] = []
        else:
            events = list(self._filled([f for f in frames if f.c], upto))
        yield from (event for event in events if isinstance(event, wire.Hello))
        yield from self._link(up=True)
        yield from (event for event in events if not isinstance(event, wire.Hello))
        yield from self._told(f for f in frames if not f.c)

    def _recognise(self, frames: list[wire.Frame]) -> None:
        """Whose past it is: the hello comes first."""
        for frame in frames[:1]:
            with contextlib.suppress(wire.Undecodable):
                if isinstance(hello := wire.decode_body(frame), wire.Hello):
                    self.run, self._pid = hello.run, hello.pid
                    self._order = self._known.setdefault(hello.run, self._order)

    def _news(self, frames: list[wire.Frame]) -> Iterator[Event]:
        for frame in frames:
            if frame.c:
                yield from self._told(self._order.take(frame))
            else:
                self._order.heard(frame.n)
                yield from self._told([frame])

    def _filled(self, frames: list[wire.Frame], upto: int) -> Iterator[Event]:
        fresh, lost = self._order.fill(frames, upto)
        yield from self._told(fresh)
        if lost:
            yield Trouble(lost=lost)

    def _told(self, frames: Iterable[wire.Frame]) -> Iterator[Event]:
        garbage = 0
        for frame in frames:
            try:
                message = wire.decode_body(frame)
            except wire.Undecodable:
                garbage += 1
                continue
            if isinstance(message, wire.Bye):
                self._bye = message
            elif isinstance(message, wire.Hello):
                self._pid = message.pid  # who came by a port knew only that
            yield message
        if garbage:
            yield Trouble(garbage=garbage)

    def _link(self, *, up: bool, why: str = "", paused: bool = False) -> Iterator[Event]:
        """Told when it changes."""
        if self._told_link != (up, paused):
            self._told_link = up, paused
            yield Link(up, why, self._wall(), paused)

    def _farewell(self) -> Iterator[Event]:
        if self._bye is not None and not self.over:
            self.over = True
            yield from self._link(up=False, why=f"it {self._bye.reason}")

    def _gone(self) -> Iterator[Event]:
        """Nobody is left to ask: what is missing is lost, what came early is handed on."""
        while self._joined and (gap := self._order.gap):
            yield from self._filled([], gap.upto)
        if self._bye is None:
            self.over = True
            yield from self._link(up=False, why=f"its process {self._pid} is gone")

    def _silence(self, now: float) -> str:
        if not self._joined:
            return f"process {self._pid} does not answer"
        last = time.localtime(self._wall() - (now - self._seen_at))
        clock = time.strftime("%H:%M:%S", last)
        return f"no beat since {clock}, though process {self._pid} still exists"


def _frames(parts: Iterable[bytes]) -> tuple[list[wire.Frame], Trouble]:
    frames: list[wire.Frame] = []
    newer = garbage = 0
    for part in parts:
        try:
            frame = wire.decode_frame(part)
        except wire.NewerVersion:
            newer += 1
            continue
        except wire.Undecodable:
            garbage += 1
            continue
        frames.append(frame)
    return frames, Trouble(newer=newer, garbage=garbage)
