"""The governor: what the agent may spend, what it spent. Pure: the time comes in by argument.

A bank: wall time pays the budget in, the agent's work draws it out. Work that can wait is done
while the bank is not in debt. What every iteration takes anyway, and the agent's own thread, is
kept back from the income; but a tenth of that is always paid in, so that a loop too fast for the
budget is looked at too.
"""

from __future__ import annotations

import math

_CAP_S = 0.05
"""The most the bank saves up, in seconds of agent time: an idle hour must not buy a burst."""

_CALM = 0.5
"""Of the budget, what is spent while nothing is the matter."""

_LEFT = 0.1
"""Of the income, what is paid in at least."""

_PASSING = 0.1
"""Of the budget, what noticing iterations may take; the rest is for counting graphs."""

_WINDOW_S = 5.0
"""Over how long the share is told, in seconds of wall time."""


class Budget:
    """`share` of wall time, as a fraction.

    Training threads `spend`; the agent's own thread writes `apart_s`, its total so far, so that
    no two threads write the same field.
    """

    def __init__(self, share: float, now: float) -> None:
        self._allowed = share
        self._saved_s = 0.0
        """Paid in and never more than the cap above what was spent."""
        self._paid = now
        self._window = (now, 0.0)
        self._lately = 0.0
        self._in_hooks_s = 0.0
        self._granted_s = 0.0
        """Of that, what the bank does not pay for."""
        self._always_s = 0.0
        """Taken in passing since the last income."""
        self.apart_s = self._apart_paid_s = 0.0
        """What the agent's own thread took, and how much of it was kept back from the income."""

    @property
    def spent_s(self) -> float:
        """All the time the agent took so far, in seconds."""
        return self._in_hooks_s + self.apart_s

    def spend(self, seconds: float, *, granted: bool = False) -> None:
        """The agent took this long in a hook, for work that could have waited.

        `granted`: work of the first iterations and on suspicion, done at any cost; it shows in
        the share, but what is done later need not pay for it.
        """
        self._in_hooks_s += seconds
        if granted:
            self._granted_s += seconds

    def spend_in_passing(self, seconds: float) -> None:
        """The agent took this long for what every iteration takes."""
        self.spend(seconds, granted=True)
        self._always_s += seconds

    def allows(self, now: float, *, calm: bool = True) -> bool:
        """Whether work that can wait may be done now. `calm`: nothing is the matter."""
        always_s, apart_s = self._always_s + self.apart_s - self._apart_paid_s, self.apart_s
        income_s = self._allowed * (now - self._paid) * (_CALM if calm else 1.0)
        income_s = max(income_s - always_s, _LEFT * income_s)
        owed_s = self._in_hooks_s - self._granted_s
        self._saved_s = min(self._saved_s + income_s, owed_s + _CAP_S)
        self._paid, self._always_s, self._apart_paid_s = now, 0.0, apart_s
        return self._saved_s > owed_s

    def pause_s(self, work_s: float) -> float:
        """How long to wait between two pieces of work in passing that take so long each.

        So that they use up a tenth of the budget at most.
        """
        return work_s / (_PASSING * self._allowed) if self._allowed else math.inf

    def share(self, now: float) -> float:
        """The share of wall time taken lately."""
        since, spent_s = self._window
        if now - since >= _WINDOW_S:
            self._lately = (self.spent_s - spent_s) / (now - since)
            self._window = (now, self.spent_s)
        elif not self._lately and now > since:
            return (self.spent_s - spent_s) / (now - since)
        return self._lately
