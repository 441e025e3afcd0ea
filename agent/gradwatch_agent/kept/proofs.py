"""Whether graphs are kept, before anything is said of it: names lead to them, or a garbage
collection leaves them.

Owns when that is looked at, and how often. Runs in the training thread, on suspicion only; what is
wrong with them and where is the inquiry's.
"""

from __future__ import annotations

from typing import Final

import msgspec

from gradwatch_agent import wire
from gradwatch_agent.diagnosis.searches import Searches
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.guard import Guard
from gradwatch_agent.kept.collector import Collector
from gradwatch_agent.kept.keeping import Kept, look
from gradwatch_agent.verdicts import Verdicts

_UNREACHED: Final = 1
"""Iterations with unreached nodes after which dead graphs are looked for; each look doubles it."""

_WIDER: Final = 2
"""Times as many nodes as ever went unreached that are something new."""

_LIVING: Final = 6
"""Earlier graphs that are alive and not known to be freed after which they are looked for, too;
each look doubles it.
"""

_UNASKED: Final = 8
"""The iteration after which they are looked for though nothing tells of them, and four times that:
what another thread built has no place in this one's numbers.
"""

_CLOSER: Final = 8
"""Looks besides while dead graphs are kept that are no alarm yet: where something new may be among
them, and once more after each that has found more.
"""

_WAITING: Final = 3
"""Earlier iterations whose graphs are kept that make a collection, not a variable's last value."""


class Proofs:
    """Of one training thread. What a look has found is good for the iteration it was made in."""

    def __init__(
        self, verdicts: Verdicts, lineage: Lineage, searches: Searches, guard: Guard
    ) -> None:
        self._verdicts = verdicts
        self._lineage = lineage
        self._searches = searches
        self._guard = guard
        self._collector = Collector(lineage)
        self._sizes: dict[str, int] = {}
        self._kept: Kept | None = None
        """What a look in this iteration has found."""
        self._unreached = 0
        """Iterations that built what no backward reached."""
        self._widest = 0
        """The most nodes that one of them built so."""
        self._next_look = _UNREACHED
        self._next_living = _LIVING
        self._next_unasked = _UNASKED
        self._closer = _CLOSER
        self._seen = 0
        """Dead graphs, in the newest look that was for them."""
        self._rose = False
        """Whether that has found more than the one before, or it is early to say of what has no
        end.
        """
        self._alive = 0
        """Earlier graphs that were alive in it."""

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
        verdicts, named, wanted = self._verdicts, 2 * kept.spent >= held, False
        if verdicts.retained_suspected:
            wanted = 2 * kept.retained >= live - held
        verdicts.learn_kept(
            kept.room if named else 0,
            sure=kept.sure,
            wanted=wanted,
            endless=named and kept.endless and not kept.room,
        )
        if (named or not verdicts.spent_suspected) and (wanted or not verdicts.retained_suspected):
            return True
        if verdicts.early:
            return False
        if not kept.dead.early and 2 * kept.dead.count >= held > 0:
            return False  # beside what their iteration freed: told as dead
        return self._collector.collect()

    def dead(self, record: wire.Iteration) -> wire.Iteration:
        """The record with the dead graphs that are kept, if it was looked for them.

        Looked for if for long enough some nodes went unreached, or some graphs live on that are no
        chain's, and closely once some were found; now and then though nothing tells of any, but
        not where the loss has just reached earlier graphs, as only one that was counted tells:
        among them is nothing dead.
        """
        unreached = record.number > 0 and self._leaves(record.unused or 0)
        chained = record.reached is None or bool(record.stale)
        due = self._is_due(0 if chained else record.live - record.held, unreached=unreached)
        news = unreached or self._rose or (not chained and record.live > self._alive)
        close = news and self._verdicts.looks_dead and self._closer > 0
        unasked = not chained and self._is_unasked(record.number)
        if self._kept is None and (due or close or unasked):
            self._look(record.oldest)
            self._closer -= not (due or unasked)
        kept, self._kept = self._kept, None
        if kept is None:
            return record
        dead = kept.dead
        self._rose = dead.count > self._seen or (dead.early and dead.endless)
        self._seen, self._alive = dead.count, record.live
        self._verdicts.learn_dead(
            dead.room, sure=dead.sure, since=dead.since, early=dead.early, endless=dead.endless
        )
        return msgspec.structs.replace(record, dead=dead.count)

    def _leaves(self, unused: int) -> bool:
        """Whether something goes unreached, now. Far more than ever is another thing than what
        has been looked for, and is looked for from the start.
        """
        if unused > _WIDER * self._widest:
            self._widest, self._unreached, self._next_look = unused, 0, _UNREACHED
        self._unreached += unused > 0
        return unused > 0

    def _is_due(self, living: int, *, unreached: bool) -> bool:
        """Whether it is time for a look; half as often from then on."""
        if unreached and self._unreached >= self._next_look:
            self._next_look *= 2
            return True
        if living >= self._next_living:
            self._next_living = 2 * living
            return True
        return False

    def _is_unasked(self, number: int) -> bool:
        """Whether it is time for one though this thread has left nothing unreached."""
        if number < self._next_unasked or self._unreached or not self._searches.may_note:
            return False
        self._next_unasked *= 4
        return True

    def _look(self, before: int | None = None) -> Kept | None:
        """What names lead to, now; None where enough time was spent on searches."""
        if self._searches.may_be_made:
            with self._searches.timed():
                self._kept = self._guard.call("diagnosis", look, self._lineage, self._sizes, before)
        return self._kept
