"""What the backwards of one iteration did to their graphs: freed, retained, built new ones. Pure.

Owns the counts that need all backwards of an iteration; must not know how graphs are walked.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from gradwatch_agent.graph.sentinels import Sentinel
from gradwatch_agent.lines.sites import Lines, Site


@dataclass(frozen=True, slots=True)
class Created:
    """A backward that built a graph of its own (create_graph): where, and which nodes."""

    site: Site | None
    numbers: range


class Retained(NamedTuple):
    """A backward that left its graph's buffers in place: where, and what its sources bear."""

    lines: Lines
    marks: frozenset[weakref.ref[Sentinel]]


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
    retained: list[Retained] = field(default_factory=list)
    """Of which no other backward has walked the graph yet."""
    needed: set[Site] = field(default_factory=set)
    """Where one was retained for another that has walked it, in this iteration or before."""

    def retain(self, lines: Lines, marks: Collection[Sentinel]) -> None:
        """A backward has."""
        self.retained.append(Retained(lines, frozenset(map(weakref.ref, marks))))

    def walk_again(self, marks: Collection[Sentinel]) -> None:
        """Another one walks what bears these marks, or who knows what, if it is not marked."""
        met = set(map(weakref.ref, marks))
        again = [each for each in self.retained if not met or each.marks & met]
        self.needed.update(each.lines[0] for each in again if each.lines)
        self.retained = [each for each in self.retained if each not in again]

    @property
    def needless(self) -> list[Lines]:
        """Where nothing is gained by it; a loop that needs it but at its last walk gains."""
        every = (each.lines for each in self.retained)
        return [lines for lines in every if not lines or lines[0] not in self.needed]

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
