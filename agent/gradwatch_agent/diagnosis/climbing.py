"""What explains memory that climbs: a container that grows, or hooks that are registered again.

Owns when containers are weighed: the first look early enough to compare with, the next ones rarely.
"""

from __future__ import annotations

from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.diagnosis.searches import Searches
from gradwatch_agent.growing import Growth
from gradwatch_agent.growing.piling import Piling
from gradwatch_agent.guard import Guard
from gradwatch_agent.verdicts import Answer, Verdicts

_WEIGHED: Final = 8
"""Iterations at least between two looks at what grows."""

_SETTLED: Final = 16
"""Iteration of a check in which containers are first weighed."""


class Climbing:
    """Of one training thread."""

    def __init__(self, verdicts: Verdicts, searches: Searches, guard: Guard) -> None:
        self._verdicts = verdicts
        self._searches = searches
        self._guard = guard
        self._growth = Growth()
        self._piling = Piling(guard)
        self._grower: Answer | None = None
        self._next_weighing = 0

    def prepare(self, record: wire.Iteration, *, thorough: bool) -> None:
        """Before a record's findings are told: looks, if it is time."""
        verdicts = self._verdicts
        climbs = verdicts.climbing
        if not self._growth.looked and (climbs or (thorough and record.number == _SETTLED)):
            self._guard.call("diagnosis", self._growth.look)
        high = verdicts.climbs_high or (thorough and climbs)
        if high and record.number >= self._next_weighing and self._searches.may_be_made:
            self._next_weighing = record.number + max(_WEIGHED, record.number // 8)
            self._weigh()
        self._guard.call("diagnosis", self._look_for_piles, record.number)

    def _weigh(self) -> None:
        with self._searches.timed():
            answer = self._guard.call("diagnosis", self._growth.answer)
        if answer is not None:
            self._verdicts.learn_growth(answer)
            self._grower = answer

    def _look_for_piles(self, number: int) -> None:
        """Hooks that are registered again and again."""
        piled = self._verdicts.detectors.piled
        piled.pile, piled.seems = self._piling.over(number), self._piling.seems

    def answer(self, kind: str) -> Answer:
        """What grows, for a finding of that kind."""
        if kind == "memory-climb" and self._verdicts.detectors.piled.pile is not None:
            return self._piling.answer()
        return self._grower or self._growth.answer()

    def end(self) -> None:
        """Nothing of it stays in the user's program."""
        self._guard.call("diagnosis", self._piling.end)
