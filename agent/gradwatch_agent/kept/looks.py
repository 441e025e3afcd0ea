"""When graphs that no backward can use any more are looked for, and how often. Pure."""

from __future__ import annotations

from typing import Final

from gradwatch_agent import wire

_UNREACHED: Final = 1
"""Iterations with unreached nodes after which they are looked for; each look doubles it."""

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

_AFRESH: Final = 2
"""As many again from each of the usual ones on."""

_CLOSER: Final = 8
"""Looks besides while some are kept that are no alarm yet: where something new may be among them,
and once more after each that has found more.
"""


class Looks:
    """Of one training thread."""

    def __init__(self) -> None:
        self._unreached = 0
        """Iterations that built what no backward reached."""
        self._widest = 0
        """The most nodes that one of them built so."""
        self._next_look = _UNREACHED
        self._next_living = _LIVING
        self._next_unasked = _UNASKED
        self._closer = _CLOSER
        self._found = self._alive = 0
        """Dead graphs in the newest look, and earlier ones that were alive then."""
        self._unsettled = False
        """Whether that one has found more than the one before, or what may soon be told."""

    def is_due(self, record: wire.Iteration, *, closely: bool, unasked: bool) -> bool:
        """Whether it is time for one. `closely`: some are kept that are no alarm yet; `unasked`:
        there is time for one though nothing tells of any.

        Not where the loss has just reached earlier graphs, as only one that was counted tells,
        unless something went unreached.
        """
        unreached = record.number > 0 and self._leaves(record.unused or 0)
        chained = record.reached is None or bool(record.stale)
        living = 0 if chained else record.live - record.held
        if self._is_usual(living, unreached=unreached) or (
            unasked and not chained and self._is_unasked(record.number)
        ):
            self._closer = max(self._closer, _AFRESH)
            return True
        news = unreached or self._unsettled or (not chained and record.live > self._alive)
        close = news and closely and self._closer > 0
        self._closer -= close
        return close

    def found(self, dead: int, alive: int, *, soon: bool) -> None:
        """What one has found. `soon`: it was early to say of what has no end."""
        self._unsettled = dead > self._found or soon
        self._found, self._alive = dead, alive

    def _leaves(self, unused: int) -> bool:
        """Whether something goes unreached, now. Far more than ever is another thing than what
        has been looked for, and is looked for from the start.
        """
        if unused > _WIDER * self._widest:
            self._widest, self._unreached, self._next_look = unused, 0, _UNREACHED
        self._unreached += unused > 0
        return unused > 0

    def _is_usual(self, living: int, *, unreached: bool) -> bool:
        """Half as often from one on."""
        if unreached and self._unreached >= self._next_look:
            self._next_look *= 2
            return True
        if living >= self._next_living:
            self._next_living = 2 * living
            return True
        return False

    def _is_unasked(self, number: int) -> bool:
        """Whether it is time for one though this thread has left nothing unreached."""
        if number < self._next_unasked or self._unreached:
            return False
        self._next_unasked *= 4
        return True
