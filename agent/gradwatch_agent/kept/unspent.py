"""Graphs that nobody has freed and that no backward can use any more: who keeps them.

An episode's log-probabilities wait for the actor's backward, and rightly so. But once an
optimizer has changed a weight that a graph saved, or a backward from elsewhere has freed a part
of it, no backward can use that graph again: torch would refuse. Such a graph is dead, and who
keeps it leaks. So does who keeps graphs of many iterations that nobody walks, while their leaves
are trained: an average of weights, what a model of one layer has foretold.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from gradwatch_agent.advice.letting_go import let_go
from gradwatch_agent.diagnosis.held.others import with_others
from gradwatch_agent.diagnosis.held.reach import Bits, Reach
from gradwatch_agent.diagnosis.lasting.variables import may_last
from gradwatch_agent.diagnosis.place.answering import answer_for
from gradwatch_agent.diagnosis.place.seen import Seen
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.reached import is_among, serial_of
from gradwatch_agent.graph.sentinels import sentinel_of
from gradwatch_agent.graph.walking import inner, walk
from gradwatch_agent.naming import Path, search
from gradwatch_agent.torch_seam import (
    LEAF,
    Node,
    changes_since,
    edges,
    is_freed,
    is_outdated,
    leaf_storage,
    sequence_of,
    version_of,
)
from gradwatch_agent.verdicts.case import Answer

_MOST_NODES: Final = 2_000
"""Nodes of one graph looked at for a weight that was changed."""

OLD: Final = 24
"""Iterations after which nobody comes back to a graph whose leaves are trained meanwhile."""


@dataclass(slots=True)
class Grown:
    """Of graphs that no backward has freed."""

    generations: set[int] = field(default_factory=set)
    """The iterations in which they were built."""
    leaves: dict[Node, set[int]] = field(default_factory=dict)
    """What they were built from, with the iterations that have used it."""

    def take(self, other: Grown) -> None:
        """These too. In place: one name may lead to thousands."""
        self.generations |= other.generations
        for leaf, users in other.leaves.items():
            self.leaves.setdefault(leaf, set()).update(users)

    @property
    def changes(self) -> int:
        """How often a leaf was changed since it was made, at most."""
        return max((version_of(leaf)[1] for leaf in self.leaves), default=0)

    @property
    def replaced(self) -> int:
        """How often there were other leaves instead, where each iteration has its own."""
        users = self.leaves.values()
        own = all(len(each) == 1 for each in users)
        return len(set().union(*users)) - 1 if own and users else 0

    @property
    def storage(self) -> int:
        """Where the oldest leaf lies: elsewhere, once `p.data = ...` has trained it."""
        oldest = min(self.leaves, key=serial_of, default=None)
        return leaf_storage(oldest) if oldest is not None else 0


def is_dead(root: Node) -> bool:
    """Whether no backward of this root has freed the graph, and none could be run any more."""
    mark = sentinel_of(root)
    if mark is not None and mark.spent:
        return False
    return any(is_freed(node) or is_outdated(node) for node in inner([root], _MOST_NODES))


def grown(root: Node, lineage: Lineage, walked: Collection[int] = frozenset()) -> Grown:
    """A graph that no backward has freed. Nothing of one that a backward has freed a part of.
    `walked`: the serials of old nodes to which the loss has just come back.
    """
    found = Grown()
    for node in walk([root], _MOST_NODES, lambda node: is_among(node, walked)):
        if sequence_of(node) >= LEAF:
            continue
        if (mark := sentinel_of(node)) is not None and mark.spent:
            return Grown()
        generation = lineage.generation_of(sequence_of(node))
        found.generations.add(generation)
        for leaf in edges(node):
            if hasattr(leaf, "variable"):
                found.leaves.setdefault(leaf, set()).add(generation)
    return found


def generations_of(root: Node, lineage: Lineage) -> set[int]:
    """The iterations, before this one, in which the graph was built; of a big one, the newest.

    The numbers of another thread's nodes mostly lie before this one's. Where they say that it is of
    the first iteration, but weights were changed less often since, the changes tell: one each.
    """
    nodes = list(inner([root], _MOST_NODES))
    found = {lineage.generation_of(sequence_of(node)) for node in nodes}
    if not any(found) and 0 < (changes := max(map(changes_since, nodes))) < lineage.current:
        return {lineage.current - changes}
    return found - {lineage.current}


def of_dead(lineage: Lineage, seen: Seen, *, young: bool) -> Answer:
    """The name that keeps dead graphs of most iterations; `young`: none of them need be old.

    A variable that each iteration makes anew kept none of the iterations before: what its graph was
    built on did, though nothing may yet say of that one that it is dead.
    """
    reach = _searched(lineage, young=young)
    holder = reach.holder()
    if holder is not None and not may_last(holder.path):
        beneath = _searched(lineage, young=True, lasting=True)
        if (lasting := beneath.holder()) is not None:
            reach, holder = beneath, lasting
    if holder is None:
        return Answer()
    return with_others(answer_for(holder, let_go, reach.aliases, seen), reach, seen)


def _searched(lineage: Lineage, *, young: bool, lasting: bool = False) -> Reach:
    """What dead graphs each name leads to; `lasting`: but for what this iteration has made."""
    age = 0 if young else OLD
    known: dict[tuple[str, int], bool] = {}
    bits = Bits()

    def dead(node: Node, path: Path) -> int:
        generation = lineage.generation_of(sequence_of(node))
        if lasting and generation == lineage.current and not may_last(path):
            return 0
        key = (path.holder.expression, generation)
        if not known.get(key):
            known[key] = is_dead(node)
        if known[key]:
            return sum(map(bits.of, generations_of(node, lineage)))
        generations = grown(node, lineage).generations
        old = bool(generations) and min(generations) <= lineage.current - age
        return sum(map(bits.of, generations)) if old else 0

    reach = Reach(dead)
    reach.aliases = search(reach, sys._getframe())  # noqa: SLF001
    return reach
