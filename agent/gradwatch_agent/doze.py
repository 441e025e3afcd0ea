"""Iterations that are only counted: those between two that are looked at, where training is fast.

In a loop of half a millisecond even marking a graph costs a percent. So the seam itself counts
such iterations here, unguarded, and asks nobody until they are over.
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

    __slots__ = ("_guard", "_iterations", "_woken", "backwards", "closer", "ended_at", "left")

    def __init__(self, woken: Callable[..., None], guard: Guard) -> None:
        self._woken, self._guard = woken, guard
        self._iterations = 0
        self.left = 0
        """Iterations still to be only counted; 0 when awake."""
        self.closer: int | None = None
        """The optimizer whose step ends an iteration; None where each backward does."""
        self.backwards = 0
        self.ended_at = 0
        """How many backwards there had been when the last iteration ended."""

    def begin(self, iterations: int, closer: int | None) -> None:
        """So many iterations are only counted from now on."""
        self.left, self.closer = iterations, closer

    @property
    def iterations(self) -> int:
        """Those that ended since it began."""
        return self._iterations

    def backward(self) -> None:
        """A backward has ended."""
        self.backwards += 1
        if self.closer is None:
            self.over()

    def step(self, optimizer: int) -> None:
        """An optimizer has stepped. One without a backward before it ends nothing."""
        if optimizer == self.closer and self.backwards != self.ended_at:
            self.over()

    def over(self) -> None:
        """An iteration has ended."""
        self._iterations += 1
        self.ended_at = self.backwards
        if self.left > 1:
            self.left -= 1
        else:  # where hooks are off by now it stays the last, and what was counted is kept
            self._guard.call("hooks", self._over)

    def _over(self) -> None:
        self.wake(ended=True)

    def wake(self, *, ended: bool = False) -> None:
        """Ends it, in the training thread."""
        counts = self._iterations, self.backwards
        self.left = self._iterations = self.backwards = self.ended_at = 0
        self._woken(*counts, ended=ended)

    def rouse(self) -> None:
        """From any thread: let it end with this iteration; training may have become slow."""
        if self.left > 1:
            self.left = 1
