"""What the agent's own thread does at each beat: looks at memory, and whether training stalls.

Must not know sockets, nor what the training threads are counting; it reads where they stand.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gradwatch_agent import wire
from gradwatch_agent.guard import Guard
from gradwatch_agent.link.memory import MemorySampler
from gradwatch_agent.loop.budget import Budget
from gradwatch_agent.verdicts.case import Case, finding
from gradwatch_agent.verdicts.life import stalled

if TYPE_CHECKING:
    from gradwatch_agent.loop.lane import Lane

_OVERDUE_S = 0.4
"""Without a look for this long, the next iteration is looked at; twice as long as ever planned."""


class Heart:
    """Of one run. `lanes` by thread; `leaves_samples`: looks at memory are handed to the lane."""

    def __init__(
        self,
        whose: wire.Hello,
        lanes: Mapping[int, Lane],
        budget: Budget,
        guard: Guard,
        *,
        leaves_samples: bool,
    ) -> None:
        self._whose = whose
        self._lanes = lanes
        self._budget = budget
        self._guard = guard
        self._leaves_samples = leaves_samples
        self._sampler: MemorySampler | None = None
        self._cpu = (0.0, 0.0)
        """When processor time was last read while training went on, and what it was."""
        self._stalled: wire.Finding | None = None

    def look(self, now: float) -> list[wire.Message]:
        """What is to be told; called about twice a second. `now` in seconds since the epoch."""
        for one in list(self._lanes.values()):
            if time.perf_counter() - one.records.ended > _OVERDUE_S:  # training has become slow
                one.doze.rouse()
        sampler = self._sampler = self._sampler or MemorySampler()
        lane = self._first()
        sample = sampler.look(now, lane.iteration if lane else -1)
        if lane is None or "hooks" in self._guard.closed:
            return [sample]
        if self._leaves_samples:
            lane.samples.append(sample)
        return [sample, *self._stall(lane, now, sampler.cpu_seconds())]

    def _first(self) -> Lane | None:
        return next(iter(list(self._lanes.values())), None)

    def _stall(self, lane: Lane, now: float, cpu_s: float) -> list[wire.Finding]:
        """The stall that began or ended since the last beat."""
        since, before_s = self._cpu
        silent_s = time.perf_counter() - lane.records.ended
        if silent_s < 1.0 or not since:
            self._cpu = since, before_s = now, cpu_s
        share = (cpu_s - before_s) / (now - since) if now > since else 1.0
        case = stalled(lane.iteration - 1, silent_s, lane.records.usual_s, share)
        was = self._stalled
        if (case is None) == (was is None):
            return []
        if case is None:
            self._stalled = None
            case = Case("stalled", "warning", lane.iteration - 1, "Iterations end again.")
            return [finding(case, self._whose, "resolved", now, lane.iteration, "stalled")]
        self._stalled = finding(case, self._whose, "raised", now, lane.iteration - 1, "stalled")
        return [self._stalled]

    def beat(self, lost: int, rejected: int, viewers: int) -> wire.Beat:
        """The sign of life; made by the agent's own thread, whose time it reads."""
        self._budget.apart_s = time.thread_time()
        lane = self._first()
        return wire.Beat(
            at=time.time(),
            iteration=lane.iteration - 1 if lane else -1,
            share=self._budget.share(time.perf_counter()),
            agent_s=self._budget.spent_s,
            lost=lost,
            rejected=rejected,
            off=self._guard.off,
            viewers=viewers,
        )
