"""Puts one job's frames in order and knows which are missing.

Owns the numbers: what was handed on, what came too early, what to ask for again, what is lost.
Must not know sockets, clocks or what the frames say. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from gradwatch_agent.wire import Frame, Replay


class Order:
    """Starts empty; `fill` with the job's past opens it, `take` continues it."""

    def __init__(self) -> None:
        self.newest = 0
        """Everything up to this number was handed on, or is lost."""
        self._heard = 0
        self._early: dict[int, Frame] = {}

    def take(self, frame: Frame) -> list[Frame]:
        """The frames that can be handed on now; none while an earlier one is missing."""
        self.heard(frame.n)
        if frame.n > self.newest:
            self._early[frame.n] = frame
        return self._released()

    def heard(self, number: int) -> None:
        """Someone told that the job has come to this number."""
        self._heard = max(self._heard, number)

    @property
    def gap(self) -> Replay | None:
        """The first stretch of missing numbers."""
        if self.newest >= self._heard:
            return None
        return Replay(self.newest + 1, min(self._early, default=self._heard + 1) - 1)

    def fill(self, frames: Iterable[Frame], upto: int) -> tuple[list[Frame], int]:
        """All there is up to that number: what can be handed on now, and how many are lost.

        A frame may stand for several numbers (the job folds its past). What was before the
        first frame ever handed on does not count as lost.
        """
        known = {f.n: f for f in [*self._early.values(), *frames] if self.newest < f.n <= upto}
        covered = sum(frame.c for frame in known.values())
        lost = max(upto - self.newest - covered, 0) if self.newest else 0
        self.newest = max(self.newest, upto)
        self.heard(upto)
        self._early = {n: frame for n, frame in self._early.items() if n > upto}
        return [known[number] for number in sorted(known)] + self._released(), lost

    def _released(self) -> list[Frame]:
        out = []
        while (frame := self._early.pop(self.newest + 1, None)) is not None:
            out.append(frame)
            self.newest += 1
        return out
