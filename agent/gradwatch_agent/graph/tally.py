"""What the backwards of one iteration did to their graphs: freed, retained, built new ones. Pure.

Owns the counts that need all backwards of an iteration; must not know how graphs are walked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gradwatch_agent.lines.sites import Lines, Site


@dataclass(frozen=True, slots=True)
class Created:
    """A backward that built a graph of its own (create_graph): where, and which nodes."""

    site: Site | None
    numbers: range


@dataclass(slots=True)
class Tally:
    """Of one iteration; made anew for the next."""

    due: bool
    """Whether its graphs are to be counted."""
    whole: bool = True
    """Whether every backward of it was counted."""
    backwards: int = 0
    backward_s: float = 0.0
    freeing: int = 0
    """Backwards that freed their buffers."""
    inside: int = 0
    """Nodes that backwards built for themselves: recomputed by checkpointing, walked at once."""
    hidden: bool = False
    """A backward's hook walked what was built before: how much of that, nobody has seen."""
    uncleared: int = 0
    """Optimizers whose gradients nobody cleared before it."""
    created: list[Created] = field(default_factory=list)
    retained: list[Lines] = field(default_factory=list)
    """Where backwards retained a graph that no other one has walked yet."""
    needed: set[Site] = field(default_factory=set)
    """Where one was retained for another that has walked it, in this iteration or before."""

    def walked_again(self) -> None:
        """What backwards have retained so far."""
        self.needed.update(lines[0] for lines in self.retained if lines)
        self.retained.clear()

    @property
    def needless(self) -> list[Lines]:
        """Where nothing is gained by it; a loop that needs it but at its last walk gains."""
        return [lines for lines in self.retained if not lines or lines[0] not in self.needed]

    def unused(self, unreached: int, reached_among: Callable[[range], int]) -> int | None:
        """Unreached nodes, but for what a graph of gradients that is used leaves aside; None where
        that is not known.
        """
        if self.hidden:
            return None
        unreached -= self.inside
        for created in self.created:
            if reached := reached_among(created.numbers):
                unreached -= len(created.numbers) - reached
        return max(unreached, 0)

    def in_vain(self, reached_among: Callable[[range], int]) -> Created | None:
        """A graph of gradients that no backward walked."""
        return next((c for c in self.created if not reached_among(c.numbers)), None)
