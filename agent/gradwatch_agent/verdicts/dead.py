"""`graph-held`: graphs that nobody has freed are kept, and no backward can use them any more.

Their weights were changed since, or nobody has come back to them for long. Pure.
"""

from __future__ import annotations

from gradwatch_agent import wire
from gradwatch_agent.verdicts.case import Case, plural
from gradwatch_agent.verdicts.held import MAYBE_BOUNDED, SURE_PATIENCE

_PATIENCE = 4
"""Dead generations that one name keeps. That they are dead is proven, so fewer are enough: an
evaluation leaves but one, and comes only every so often."""

_SOON = 32
"""The last few of something: a store that is known to hold so few unused graphs is no news. Spent
ones are a hint all the same, for nobody can want them."""

_EARLY = " It is early to say: a backward that is still to come may want them."

_TRAINED = ", and weights they were built from have been changed since"


class Dead:
    """Graphs that nobody has freed, and that no backward can use any more."""

    def __init__(self) -> None:
        self._seen = 0
        """How many the newest look has found; what was walked a moment ago may be among them."""
        self._count = 0
        """How many the newest two have."""
        self._looked = False
        """Whether that was in the last iteration: since then more may have come."""
        self.since = 0
        """The iteration of the oldest of them."""
        self.room = 0
        """How many may be held rightly, as far as is known of what holds them."""
        self.sure = False
        """Whether that is known, and not guessed."""
        self.early = False
        """Whether somebody may yet come back to them."""
        self.endless = False
        """Whether what keeps them is known to grow without end."""

    def iteration(self, record: wire.Iteration) -> None:
        """Takes one iteration into account; most have not been looked at."""
        self._looked = record.dead is not None
        if record.dead is not None:
            self._count, self._seen = min(self._seen, record.dead), record.dead

    @property
    def uneasy(self) -> bool:
        """Whether one name keeps several: worth another look, and the cause of a lesser finding."""
        return self._seen > 1 or (self.endless and self._seen > 0)

    @property
    def _is_bounded(self) -> bool:
        """As far as is known."""
        return self._count <= self.room

    def case(self) -> Case | None:
        """The leak, if there is one."""
        known = self.endless and not self.early
        if self._count < (SURE_PATIENCE if known else _PATIENCE):
            return None
        if self._is_bounded and self.sure and self.room <= _SOON:
            return None
        least = "" if self._looked else "at least "
        return Case(
            kind="graph-held",
            level="info" if self._is_bounded or self.early else "warning",
            since=self.since,
            message=(
                f"Graphs of {least}{plural(self._count, 'earlier iteration')} are kept alive to "
                f"which no backward has come back{'' if self.early else _TRAINED}."
                + (MAYBE_BOUNDED if self._is_bounded else _EARLY if self.early else "")
            ),
            suggestion=(
                "Build them under `with torch.no_grad():`, or keep x.detach() instead of x."
            ),
            besides=" If no backward is ever to walk it, build it under torch.no_grad().",
            size=self._count,
        )
