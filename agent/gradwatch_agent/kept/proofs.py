"""Whether graphs are kept, before anything is said of it: names lead to them, or a garbage
collection leaves them.

When that is looked at, `looks` knows. Runs in the training thread, on suspicion only; what is
wrong with them and where is the inquiry's.
"""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from gradwatch_agent import wire
from gradwatch_agent.diagnosis.searches import Searches
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.guard import Guard
from gradwatch_agent.kept.collector import Collector
from gradwatch_agent.kept.keeping import Kept, look
from gradwatch_agent.kept.looks import Looks
from gradwatch_agent.kept.renewed import of_an_epoch
from gradwatch_agent.naming.unfinished import unfinished
from gradwatch_agent.verdicts.detectors import Detectors

_WAITING: Final = 3
"""Earlier iterations whose graphs are kept that make a collection, not a variable's last value."""


class Proofs:
    """Of one training thread. What a look has found is good for the iteration it was made in."""

    def __init__(
        self,
        detectors: Detectors,
        lineage: Lineage,
        census: Census,
        searches: Searches,
        guard: Guard,
    ) -> None:
        self._detectors = detectors
        self._census = census
        self._lineage = lineage
        self._searches = searches
        self._guard = guard
        self._collector = Collector(lineage)
        self._sizes: dict[str, int] = {}
        self._kept: Kept | None = None
        """What a look in this iteration has found."""
        self._looks = Looks()

    def waits(self) -> bool:
        """Whether graphs that no backward reached are kept, as for the end of an episode."""
        kept = self._look()
        self._kept = None
        return kept is not None and kept.living >= _WAITING

    def held(self, held: int, live: int, before: int | None = None) -> bool:
        """Whether so many spent and living generations are held by more than chance. `before`: the
        loss reaches graphs from that generation on.
        """
        kept = self._look(before)
        if kept is None:
            return False
        detectors, named, wanted = self._detectors, 2 * kept.spent >= held, False
        if detectors.retained_suspected:
            wanted = 2 * kept.retained >= live - held
        room = kept.room and kept.room + _gathering(held - kept.spent)
        detectors.learn_kept(
            room if named else 0,
            sure=kept.sure,
            wanted=wanted,
            endless=named and kept.endless and not kept.room,
        )
        if (named or not detectors.spent_suspected) and (
            wanted or not detectors.retained_suspected
        ):
            return True
        if detectors.early:
            return False
        if not kept.dead.early and 2 * kept.dead.count >= held > 0:
            return False  # beside what their iteration freed: told as dead
        if not named:
            detectors.learn_kept(_gathering(held), sure=False, wanted=wanted, endless=False)
        return self._collector.collect()

    def dead(self, record: wire.Iteration) -> wire.Iteration:
        """The record with the dead graphs that are kept, if it was looked for them."""
        due = self._looks.is_due(
            record, closely=self._detectors.looks_dead, unasked=self._searches.may_note
        )
        if due and self._kept is None:
            self._look(record.oldest)
        kept, self._kept = self._kept, None
        if kept is None:
            return record
        dead = kept.dead
        self._looks.found(dead.count, record.live, soon=dead.early and dead.endless)
        self._detectors.learn_dead(
            dead.room, sure=dead.sure, since=dead.since, early=dead.early, endless=dead.endless
        )
        return msgspec.structs.replace(record, dead=dead.count)

    def _look(self, before: int | None = None) -> Kept | None:
        """What names lead to, now; None where enough time was spent on searches."""
        if self._searches.may_be_made:
            with self._searches.timed():
                walked = self._census.frontiers
                self._kept = self._guard.call(
                    "diagnosis", look, self._lineage, self._sizes, before, walked
                )
        return self._kept


def _gathering(held: int) -> int:
    """How many graphs that go by no name may rightly come to be: those of a comprehension that is
    under way, of so many visits; 0 where it has no end, or there is none.
    """
    around = unfinished(sys._getframe()) if held > 0 else None  # noqa: SLF001
    if around is None or not around.rounds:
        return 0
    return of_an_epoch(-(-held * around.rounds // (around.done or held)))
