"""Iterations that are only counted: those between two that are looked at, where training is fast.

In a loop of half a millisecond even marking a graph costs a percent. So the seam itself counts
such iterations here, unguarded, and asks nobody until they are over. Between two steps of a model
the processor has forgotten all of this: what counts is how few objects are touched, not how
few operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gradwatch_agent.guard import Guard

BY_HAND: Final = -1
"""As `closer`: neither a step nor a backward ends an iteration."""


class Doze:
    """Of one training thread.

    When it is over, `woken(iterations, backwards, ended=...)` is called: how many there were, and
    whether an iteration has just ended (else one is under way). That alone can fail, so it alone
    goes through the guard.
    """

    __slots__ = (
        "_guard",
        "_woken",
        "backwards",
        "closer",
        "ended_at",
        "inside",
        "iterations",
        "left",
    )

    def __init__(self, woken: Callable[..., None], guard: Guard) -> None:
        self._woken, self._guard = woken, guard
        self.iterations = 0
        """Those that ended since it began."""
        self.left = 0
        """Iterations still to be only counted; 0 when awake."""
        self.closer: int | None = None
        """The optimizer whose step ends an iteration; None where each backward does."""
        self.backwards = 0
        self.ended_at = 0
        """How many backwards there had been when the last iteration ended."""
        self.inside = False
        """The engine is at work: what it runs meanwhile is no backward of its own."""

    def begin(self, iterations: int, closer: int | None) -> None:
        """So many iterations are only counted from now on."""
        self.left, self.closer, self.inside = iterations, closer, False

    def over(self) -> None:
        """An iteration has ended."""
        self.iterations += 1
        self.ended_at = self.backwards
        left = self.left  # read once: `rouse` comes from another thread
        if left > 1:
            self.left = left - 1
        else:  # where hooks are off by now it stays the last, and what was counted is kept
            self._guard.call("hooks", self._over)

    def _over(self) -> None:
        self.wake(ended=True)

    def wake(self, *, ended: bool = False) -> None:
        """Ends it, in the training thread."""
        counts = self.iterations, self.backwards
        self.left = self.iterations = self.backwards = self.ended_at = 0
        self._woken(*counts, ended=ended)

    def rouse(self) -> None:
        """From any thread: let it end with this iteration; training may have become slow."""
        if self.left > 1:
            self.left = 1
