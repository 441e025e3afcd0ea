"""Iterations that are only counted: those between two that are looked at, where training is fast.

In a loop of half a millisecond even marking a graph costs a percent. So the seam itself counts
such iterations here, unguarded, and asks nobody until they are over. Between two steps of a model
the processor has forgotten all of this: what counts is how few objects are touched, not how
few operations. So where a loop goes on evenly, one step to a backward, even the optimizer's
hook is put aside meanwhile: backwards are counted, and the steps are checked by `Pulse`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from gradwatch_agent.guard import Guard
from gradwatch_agent.loop.pulse import Pulse
from gradwatch_agent.torch_seam.nodes import sequence_number

BY_HAND: Final = -1
"""As `closer`: neither a step nor a backward ends an iteration."""

_PATIENCE: Final = 4
"""Times the backwards that are due, without the steps that are."""


class Steps(Protocol):
    """The optimizers' steps, as the seam hears them."""

    def ignore(self) -> bool:
        """They need not be heard until `hear`. Whether that is so."""

    def hear(self) -> None:
        """They are heard again."""


class Counted(NamedTuple):
    """What there was meanwhile."""

    iterations: int
    """That ended."""
    backwards: int
    ended: bool
    """An iteration has ended just now."""
    begun: bool
    """The one under way has had a backward."""
    missing: int
    """Iterations there were, too, should it turn out that another optimizer has taken over."""
    starts: array[int]
    """Where the numbering of nodes stood when each of the iterations had ended."""
    walked_at: int
    """And where after the last backward."""


class Doze:
    """Of one training thread.

    When it is over, `woken` is told what was counted. That alone can fail, so it alone goes through
    the guard.

    `steps` are the optimizers', which it ignores where it can.
    """

    __slots__ = (
        "_deaf",
        "_guard",
        "_iterations",
        "_most",
        "_steps",
        "_woken",
        "backwards",
        "closer",
        "ended_at",
        "inside",
        "left",
        "on",
        "pulse",
        "starts",
        "walked_at",
    )

    def __init__(self, woken: Callable[[Counted], None], guard: Guard, steps: Steps) -> None:
        self._woken, self._guard, self._steps = woken, guard, steps
        self.pulse = Pulse()
        self.on = False
        """From `begin` to `wake`."""
        self.left = 0
        """Backwards still to be only counted; the next one after those ends it."""
        self.closer: int | None = None
        """The optimizer whose step ends an iteration; None where each backward does."""
        self.backwards = 0
        self.ended_at = 0
        """How many backwards there had been when an iteration was last ended by other means."""
        self.starts = array("q")
        """Where the numbering of nodes stood at each iteration's end."""
        self.walked_at = 0
        """Where it stood after the last backward, where that is no iteration's end."""
        self.inside = False
        """The engine is at work: what it runs meanwhile is no backward of its own."""
        self._deaf = False
        """Steps are ignored."""
        self._iterations = self._most = 0
        """Those that other means have ended, and how many of them end it."""

    @property
    def iterations(self) -> int:
        """Those that ended since it began."""
        return self.backwards if self.closer is None else self._iterations

    def begin(self, iterations: int, closer: int | None, backwards: int) -> None:
        """So many iterations are only counted from now on, each of about so many backwards."""
        stepping = closer is not None and closer != BY_HAND
        self._deaf = stepping and self.pulse.even and self._steps.ignore()
        self.closer = None if self._deaf else closer
        self._most, self.left = iterations, iterations
        if self.closer is not None:  # whose steps may have ended for good
            self.left = _PATIENCE * iterations * max(backwards, 1)
        self.on, self.inside = True, False

    def spent(self) -> None:
        """The last backward that was to be only counted has ended."""
        self.left = 0
        if self.closer is None:
            self._guard.call("hooks", self._over)

    def step(self) -> None:
        """An iteration has ended by other means than a backward."""
        self._iterations += 1
        self.ended_at = self.backwards
        self.starts.append(sequence_number())
        if not self.left or self._iterations >= self._most:
            self._guard.call("hooks", self._over)

    def _over(self) -> None:
        self.wake(ended=True)

    def wake(self, *, ended: bool = False) -> None:
        """Ends it, in the training thread."""
        iterations, backwards, missing = self.iterations, self.backwards, 0
        begun = self.closer is not None and backwards != self.ended_at
        deaf, self._deaf, self.on = self._deaf, False, False
        self.left = self.backwards = self.ended_at = self._iterations = 0
        starts, self.starts = self.starts, array("q")
        if deaf:
            self._steps.hear()
            due = iterations - ended  # the last one's step is still to come
            steps = self.pulse.steps(due)
            begun, ended, missing = steps < iterations, False, due - steps
            iterations = steps
        else:
            self.pulse.rest()
        walked_at = starts[-1] if starts and self.closer is None else self.walked_at
        del starts[iterations:]  # the last backward's step is still to come
        self._woken(Counted(iterations, backwards, ended, begun, missing, starts, walked_at))

    def rouse(self) -> None:
        """From any thread: let it end with the next backward."""
        self.left = 0
