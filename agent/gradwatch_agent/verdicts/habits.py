"""`retain-needless`, `graph-unused`, `grads-accumulate`: habits that cost, seldom faults. Pure.

Each needs to be seen in several counted iterations in a row, and is told once.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.verdicts.case import Case, amount

_HABIT: Final = 8
"""Counted iterations in a row that make a habit."""

_COSTLY_BYTES: Final = 100_000_000
"""A graph that is retained for nothing and keeps this much through the next forward matters."""

_UNUSED_SHARE: Final = 0.3
"""Of the nodes built: a target network beside the one that is trained, with its predictor and loss,
comes to more; what is computed of a loss for a log, to less.
"""

_UNUSED_MOST: Final = 0.4
"""Less than this is told once it goes on for long: a head may wait for the end of a warm-up."""

_FOR_LONG: Final = 48
"""Iterations, counted or not."""

_UNUSED_TIMES: Final = 4
"""Iterations that must have shown some: an evaluation comes only so often, and by then it is known
whether its graphs are kept, which is worse."""

_UNUSED_STILL: Final = 0.5
"""Of the share that made it a habit, what keeps it one between two evaluations."""

_UNUSED_NODES: Final = 2
"""Per iteration, on average; less is not worth a word."""

_LOOK_BACK: Final = 64
"""Counted iterations over which the share is taken: an evaluation comes only now and then."""


class _Streak:
    """Counted iterations in a row that show something. Once that is a habit, as many without it end
    it: what is done right once an epoch is no end.
    """

    def __init__(self) -> None:
        self._with = self._without = 0
        self.since = 0

    def take(self, number: int, *, shows: bool) -> None:
        """One more."""
        if shows:
            self.since = self.since if self._with else number
            self._with, self._without = self._with + 1, 0
            return
        self._without += 1
        if not self.is_habit or self._without >= _HABIT:
            self._with = 0

    @property
    def is_habit(self) -> bool:
        """Whether it was seen often enough."""
        return self._with >= _HABIT


class Needless:
    """`retain_graph=True` where nothing walks the graph again."""

    def __init__(self) -> None:
        self._streak = _Streak()
        self._saved = 0

    def iteration(self, record: wire.Iteration) -> None:
        """Takes one iteration into account."""
        if record.reached is None:
            return
        shows = bool(record.retained) and not record.stale
        self._streak.take(record.number, shows=shows)
        if shows:
            self._saved = record.saved_bytes or 0

    def case(self) -> Case | None:
        """The habit, if it is one."""
        if not self._streak.is_habit:
            return None
        costly = self._saved >= _COSTLY_BYTES
        keeps = f" It keeps {amount(self._saved)} through the next forward." if self._saved else ""
        return Case(
            kind="retain-needless",
            level="warning" if costly else "info",
            since=self._streak.since,
            message=f"retain_graph=True, but no other backward walks that graph.{keeps}",
            suggestion="Remove retain_graph=True.",
            size=1,
        )


class Unused:
    """Graphs that are built and never backwarded."""

    def __init__(self) -> None:
        self._seen: deque[tuple[int, int, int]] = deque(maxlen=_LOOK_BACK)
        self._is_habit = False
        self.wanted = False
        """Whether such graphs were seen to be gathered, as for the end of an episode, or to be the
        others of which one was chosen.
        """

    def iteration(self, record: wire.Iteration) -> None:
        """Takes one iteration into account; the first one holds whatever came before it."""
        if record.stale and record.stale >= sum(unused for _, _, unused in self._seen):
            self._seen.clear()  # their backward has come
        if record.unused is not None and record.number > 0:
            self._seen.append((record.number, record.built, record.unused))

    def case(self) -> Case | None:
        """The habit, if it is one."""
        built = sum(built for _, built, _ in self._seen)
        unused = sum(unused for _, _, unused in self._seen)
        self._is_habit = not self.wanted and self._shows(built, unused)
        if not self._is_habit:
            return None
        first = next((number for number, _, unused in self._seen if unused), 0)
        return Case(
            kind="graph-unused",
            level="info",
            since=first,
            message=(
                f"{unused / max(built, 1):.0%} of the graph nodes that are built take part in no "
                "backward."
            ),
            suggestion="What is only evaluated needs none: do that under `with torch.no_grad():`.",
            nodes_per_iteration=unused / len(self._seen),
            size=1,
        )

    def _shows(self, built: int, unused: int) -> bool:
        times = sum(1 for _, _, unused in self._seen if unused)
        factor = _UNUSED_STILL if self._is_habit else 1.0
        if len(self._seen) < _HABIT or times < _UNUSED_TIMES * factor:
            return False
        span = self._seen[-1][0] - self._seen[0][0]
        if span < _FOR_LONG * factor and unused <= factor * _UNUSED_MOST * built:
            return False
        enough = factor * _UNUSED_NODES * len(self._seen)
        return unused > factor * _UNUSED_SHARE * built and unused >= enough


class Accumulating:
    """Steps with gradients that nobody cleared in between."""

    def __init__(self) -> None:
        self._streak = _Streak()
        self.unseen = False
        """Whether they may be cleared where nobody sees it."""

    def iteration(self, record: wire.Iteration) -> None:
        """Takes one iteration into account."""
        if record.reached is not None:
            self._streak.take(record.number, shows=bool(record.uncleared))

    def case(self) -> Case | None:
        """The habit, if it is one."""
        if self.unseen or not self._streak.is_habit:
            return None
        return Case(
            kind="grads-accumulate",
            level="info",
            since=self._streak.since,
            message=(
                "The optimizer steps with gradients that nobody cleared since the step before: "
                "each step adds the gradients of all earlier iterations."
            ),
            suggestion="Call `optimizer.zero_grad()` after each step, ahead of the next backward.",
            size=1,
        )
