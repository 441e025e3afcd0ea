"""The records of one training thread: what its backwards and iterations took.

Owns what has happened since the last record, and folds into the next one the iterations that
were only counted. Must not know when a record is due, nor what a graph holds: that is filled in
by the survey.
"""

from __future__ import annotations

import time

from gradwatch_agent import wire
from gradwatch_agent.torch_seam import Pass

_WEIGHT = 0.1
"""Of the newest record in what an iteration usually takes."""


class Records:
    """Called in the training thread."""

    def __init__(self, lane: int, now: float) -> None:
        self._lane = lane
        self.ended = now
        """When the last iteration that was looked at ended, on the monotonic clock."""
        self.usual_s = 0.0
        """What an iteration takes."""
        self.counted = self.skipped = 0
        """Iterations and backwards since the last record that were only counted."""
        self._backwards = 0
        self._backward_s = 0.0

    def backward(
        self, run: Pass, iteration: int, taken_s: float, error: BaseException | None = None
    ) -> wire.Backward:
        """The record of a backward that has just ended, while the call is under way."""
        self._backwards += 1
        self._backward_s += taken_s
        skipped, self.skipped = self.skipped, 0
        site, roots = run.site, run.roots
        return wire.Backward(
            at=time.time() - taken_s,
            iteration=iteration,
            duration_s=taken_s,
            call=run.call,
            root=type(roots[0]).__name__ if roots else "",
            roots=len(roots),
            file=site.file if site else None,
            line=site.line if site else None,
            function=site.function if site else None,
            retain_graph=run.retain_graph,
            create_graph=run.create_graph,
            error=f"{type(error).__name__}: {error}" if error is not None else None,
            skipped=skipped,
            lane=self._lane,
        )

    def iteration(self, number: int, now: float, built: int) -> wire.Iteration:
        """The record of the iteration that has just ended, and of those before it."""
        count = 1 + self.counted
        record = wire.Iteration(
            number=number,
            at=time.time(),
            duration_s=(now - self.ended) / count,
            backward_s=self._backward_s,
            backwards=self._backwards,
            built=built,
            count=count,
            lane=self._lane,
        )
        self.ended, self.counted, self._backwards, self._backward_s = now, 0, 0, 0.0
        self.usual_s += (record.duration_s - self.usual_s) * (_WEIGHT if self.usual_s else 1.0)
        return record
