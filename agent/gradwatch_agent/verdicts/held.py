"""`graph-held`: something keeps the spent graphs of earlier iterations alive.

A graph that was backwarded is spent: its buffers are gone, no one can use it again, holding it
is pure waste. The count of such generations grows in a leak and stays at a handful elsewhere;
a Python cycle looks the same until the collector runs, so one collection comes before the
finding. Pure.
"""

from __future__ import annotations

from gradwatch_agent import wire
from gradwatch_agent.verdicts.case import Case, plural

_PATIENCE = 6
"""Spent generations alive beyond which it is suspicious. Innocent jobs were seen to hold 3."""

_CALM = 64
"""Iterations without growth after which the held graphs are taken for bounded; longer, by
`_CALM_FACTOR`, for a leak that took long to grow (an epoch's sum starts anew each epoch)."""

_CALM_FACTOR = 4


class Held:
    """Fed with every iteration."""

    def __init__(self) -> None:
        self._previous = 0
        self._began = 0
        self._grew_at = 0
        self._peak = 0
        self._threshold = _PATIENCE
        self._left = 0
        """What the last collection left, or a bounded store was seen to hold."""
        self._open = False
        self._nodes: int | None = None

    def iteration(self, record: wire.Iteration) -> None:
        """Takes one iteration into account."""
        if record.reached is not None and not record.stale:
            self._nodes = record.reached - (record.types or {}).get("AccumulateGrad", 0)
        if not self._open and record.held <= 1:
            self._began = record.number
        if record.held > self._previous:
            self._grew_at = record.number
        self._previous = record.held
        if self._open:
            self._peak = max(self._peak, record.held)
            self._follow(record)
        elif record.collected and record.held >= max(_PATIENCE, 2 * self._left):
            self._open, self._peak = True, record.held
        elif record.collected:  # a cycle that the collector freed: look again much later
            self._threshold *= 4
            self._left = record.held

    def _follow(self, record: wire.Iteration) -> None:
        """An open case ends when nothing has been added for long."""
        if record.number - self._grew_at > max(_CALM, _CALM_FACTOR * self._peak):
            self._open = False
            self._threshold = 2 * self._peak + _PATIENCE
            self._left = self._peak

    def suspects(self, held: int) -> bool:
        """Whether a full garbage collection must tell a leak of so many from a cycle."""
        return not self._open and held >= self._threshold

    def case(self) -> Case | None:
        """The leak, if there is one."""
        if not self._open:
            return None
        return Case(
            kind="graph-held",
            level="warning",
            since=self._began,
            message=(
                f"The graphs of {plural(self._previous, 'earlier iteration')} are kept alive, "
                "though backward is done with them and the loss does not reach them."
            ),
            suggestion=(
                "Keep numbers instead of tensors with a graph: "
                "x.item() for a scalar, x.detach() for a tensor."
            ),
            nodes_per_iteration=float(self._nodes) if self._nodes else None,
            size=self._previous,
        )
