"""How closely the iterations of one thread are looked at: counted, in passing, or not at all.

Owns the decision, what it costs, and how many iterations went by unseen. Must not know what a look
finds.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from torch.optim.optimizer import Optimizer

from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.guard import Guard
from gradwatch_agent.loop.budget import Budget
from gradwatch_agent.loop.doze import BY_HAND, Counted, Doze, Steps
from gradwatch_agent.loop.iterations import Iterations
from gradwatch_agent.loop.records import Records
from gradwatch_agent.torch_seam import sequence_number

FIRST: Final = 16
"""Iterations that are counted at any cost, until a chain is told: most faults show in the first
few, and one more look at a graph that is known to grow shows what is known."""

_AGAIN: Final = 32
"""The iteration from which on one now and then is counted at any cost, too: a fault that begins
late shows in a loop too fast for the budget."""

_APART: Final = 1.25
"""How much later each of those is than the one before: 47 of a million."""

_LONGEST_S: Final = 0.2
"""The longest that iterations are only counted, so that a screen always has something new."""

_FAST_S: Final = 2e-3
"""Iterations shorter than this are a fast loop's. There it counts when a fault is noticed, not
after how many of them."""

_IN_FAST: Final = 8
"""Times as long as elsewhere between two looks there: each also empties the processor's caches."""

_LONGEST_IN_FAST_S: Final = 1.0
"""As `_LONGEST_S`, there."""

_COUNTING_S: Final = 5e-6
"""What an iteration takes the agent that is only counted; too short to be measured each time. In a
loop that does nothing else it is 1.3 us, between a model's steps 4; 8 where steps are heard."""

_NEWEST: Final = 0.1
"""Of the newest look in passing in what one usually takes."""

clock: Final = time.thread_time
"""That the thread was put aside meanwhile is not the agent's doing."""


class Pace:
    """Called in the training thread. What the lane knows of iterations and records it shares."""

    def __init__(
        self,
        budget: Budget,
        iterations: Iterations,
        lineage: Lineage,
        records: Records,
        guard: Guard,
        steps: Steps,
    ) -> None:
        self._budget = budget
        self._iterations = iterations
        self._lineage = lineage
        self._records = records
        self.doze = Doze(self._woken, guard, steps)
        self.due = True
        """This iteration is counted."""
        self._granted = True
        """At any cost."""
        self._again = _AGAIN
        """The next iteration that is counted so, whatever is the matter."""
        self.took_s = 0.0
        """The agent's work since the last decision."""
        self._passing_s = 0.0
        """What it usually is for an iteration that is looked at in passing."""
        self._unseen = False
        """The backward of the iteration under way was only counted."""
        self._missing = 0
        """Iterations there were if the next step is another optimizer's than expected."""

    @property
    def iteration(self) -> int:
        """The iteration under way, counted from 0."""
        return self._lineage.current + self.doze.iterations

    def wake(self) -> None:
        """From now on iterations are looked at."""
        if self.doze.on:
            self.doze.wake()

    def backward(self) -> None:
        """One is looked at."""
        self.wake()
        self._unseen = False

    def step(self, serial: int, optimizer: Optimizer) -> None:
        """An optimizer's was heard."""
        if serial == self._iterations.closer:
            self.doze.pulse.step(optimizer, self._iterations.backwards)
        elif self._missing:
            self._count(self._missing)
        self._missing = 0

    def marks(self) -> bool:
        """The script marks an iteration's end. Whether that is only counted."""
        if self.doze.on and self.doze.closer == BY_HAND:
            self.doze.step()
            return True
        self.wake()
        return False

    def forget(self, optimizer: int) -> None:
        """That optimizer is gone: its step is not waited for."""
        if optimizer == self.doze.closer:
            self.doze.rouse()

    def passes(self) -> bool:
        """Whether the iteration that has just ended is only counted, for its backward was."""
        if not self._unseen:
            return False
        self._unseen = False
        self._count(1)
        self._lineage.start_at(sequence_number())
        return True

    def decide(self, now: float, *, granted: bool, known: bool, calm: bool) -> None:
        """Pays for the last iterations, and decides how the next one is looked at. `known`: what
        is the matter is told.
        """
        if self.due:
            self._budget.spend(self.took_s, granted=self._granted)
        else:
            self._budget.spend_in_passing(self.took_s)
            self._passing_s += (self.took_s - self._passing_s) * _NEWEST
        self.took_s = 0.0
        first = self.iteration < FIRST and not known
        self._granted = granted or first or self._comes_again()
        self.due = self._granted or self._budget.allows(now, calm=calm)

    def _comes_again(self) -> bool:
        if self.iteration < self._again:
            return False
        self._again = int(_APART * self.iteration)
        return True

    def pause(self, backwards: int) -> None:
        """Only counts, for as long as the budget bids between two looks in passing; `backwards`:
        those of an iteration.
        """
        usual_s, work_s, longest_s = self._records.usual_s, self._passing_s, _LONGEST_S
        if usual_s < _FAST_S:
            work_s, longest_s = _IN_FAST * work_s, _LONGEST_IN_FAST_S
        iterations = int(min(self._budget.pause_s(work_s), longest_s) / usual_s)
        if (iterations := min(iterations, self._again - self.iteration - 1)) > 0:
            self.doze.begin(iterations, self._iterations.closer, backwards)

    def _woken(self, counted: Counted) -> None:
        """It has only counted for a while."""
        self._records.skipped += counted.backwards
        self._count(counted.iterations, counted.starts)
        self._lineage.walked_at = max(self._lineage.walked_at, counted.walked_at)
        self._unseen, self._missing = counted.begun, counted.missing
        if counted.begun:
            self._iterations.begun()
        if counted.ended:
            self._lineage.start_at(sequence_number())

    def _count(self, iterations: int, starts: Sequence[int] = ()) -> None:
        """So many that were not looked at."""
        self._records.counted += iterations
        self._budget.spend_in_passing(iterations * _COUNTING_S)
        self._lineage.advance(iterations, starts)
