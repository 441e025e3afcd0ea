"""The walk of a graph: what a backward is about to reach, new and stale apart.

Owns the counts of one iteration. A walk stays bounded when the graph does not: below a set of
stale nodes that was counted before, it does not descend. Must not know when it is called or what
is concluded.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Final

from gradwatch_agent import torch_seam
from gradwatch_agent.graph.below import Below, earliest
from gradwatch_agent.graph.depths import Depths
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.reached import MOST_NODES, Counts, Look, by_name, serial_of
from gradwatch_agent.graph.roll import Roll
from gradwatch_agent.graph.walking import inner
from gradwatch_agent.torch_seam import LEAF, Node, sequence_of

_CROSSINGS: Final = 16
"""Edges into earlier iterations that are looked at closely: each layer may have a state, or two."""


class Census:
    """Counts for one training thread; `begin` at each iteration, `look` before each backward."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._depths = Depths(lineage)
        self.begin()

    def begin(self) -> None:
        """A new iteration."""
        self.looks = 0
        self._roll = Roll()
        self._leaves: dict[int, int] = {}
        """Serial number of each leaf reached, and the address of its storage."""
        self.frontiers: set[int] = set()
        """The serials of the stale nodes at which this iteration's backwards left it."""
        self._stale: list[Below] = []
        self._reached_stale = False

    def reached_number(self, number: int) -> bool:
        """Whether a backward of this iteration reached the node so numbered."""
        return number in self._roll.new

    def reached_among(self, numbers: range) -> int:
        """How many of the nodes so numbered were reached."""
        return sum(1 for number in self._roll.new if number in numbers)

    def freed(self) -> None:
        """The backward last looked at freed what it reached: what is remembered holds no more."""
        if self._reached_stale:
            self._depths.freed()

    def counts(self) -> Counts:
        """What this iteration's backwards reached, each node once."""
        stale = sum(below.nodes for below in self._stale)
        reached = self._roll.kinds()
        types = sum((below.types for below in self._stale), by_name(reached))
        if self._leaves:
            types["AccumulateGrad"] += len(self._leaves)
        storages, saved_bytes = self._saved()
        return Counts(
            reached=reached.total() + stale + len(self._leaves),
            fresh=len(self._roll.new),
            stale=stale,
            late=self._roll.older(self._lineage.start),
            oldest=earliest(below.oldest for below in self._stale),
            proven=earliest(below.witness for below in self._stale),
            outdated=any(below.is_outdated() for below in self._stale),
            saved_bytes=saved_bytes,
            storages=storages,
            types=dict(types),
        )

    def _saved(self) -> tuple[int, int]:
        """Number and size of the storages that are kept for backward, but for the leaves' own."""
        ledgers = [below.saved for below in self._stale]
        leaves = set(self._leaves.values())
        new = [
            size
            for at, size in self._roll.storages.items()
            if at not in leaves and not any(at in ledger for ledger in ledgers)
        ]
        count, size_bytes = len(new), sum(new)
        for ledger in ledgers:
            own, own_bytes = ledger.total_of(leaves)
            count += ledger.count - own
            size_bytes += ledger.size_bytes - own_bytes
        return count, size_bytes

    def look(
        self, roots: list[Node], *, check_new: bool, failed: bool = False, marks: bool = True
    ) -> Look:
        """Walks from the roots. `check_new`: an earlier backward may have freed new nodes too.
        `failed`: for want of what was freed. `marks`: sources are marked.

        Raises `TooLarge`.
        """
        self.looks += 1
        roll = self._roll
        roll.walk()
        start = self._lineage.start
        new = [root for root in roots if sequence_of(root) >= start]
        stale = {root for root in roots if sequence_of(root) < start}
        seen, leaves = set(new), set()
        look = Look(failed=failed, marks=marks, generation_of=self._lineage.generation_of)
        users: dict[Node, Node | None] = dict.fromkeys(list(stale)[:_CROSSINGS])
        waiting = list(seen)
        while waiting:
            node = waiting.pop()
            number = sequence_of(node)
            if not roll.enter(node, number) and torch_seam.saves(node):
                look.again = True
            source = True
            for sequence, child in torch_seam.numbered_edges(node, number):
                if sequence >= LEAF:
                    leaves.add(child)
                    continue
                source = False
                if sequence < start:
                    stale.add(child)
                    if len(users) < _CROSSINGS:
                        users.setdefault(child, node)
                elif child not in seen:
                    seen.add(child)
                    waiting.append(child)
            if source and marks and (mark := self._lineage.mark(node)) is not None:
                look.met.add(mark)
            if check_new:
                look.meets(node, self._lineage.current)
        look.fresh = len(seen)
        look.users = users
        own = self._leaves_of(leaves)
        look.touches, look.addresses, look.at_leaves = bool(own), set(own.values()), leaves
        if not self._lineage.current:
            look.first_leaf = min(leaves, key=serial_of, default=None)
        self._leaves |= own
        self._reached_stale = bool(stale)
        if not self._settle(stale, own, look):
            self._enter_others(stale, seen)
        return look

    def _leaves_of(self, leaves: Iterable[Node]) -> dict[int, int]:
        """The serial numbers of leaves, and the addresses of their storages."""
        found = {}
        for leaf in leaves:
            serial = serial_of(leaf)
            address = self._leaves.get(serial)
            found[serial] = torch_seam.leaf_storage(leaf) if address is None else address
        return found

    def _settle(self, stale: set[Node], leaves: dict[int, int], look: Look) -> bool:
        """Adds what lies below the stale nodes; False if it is not proven to be old."""
        look.leaves = len(leaves)
        if not stale:
            return True
        frontier = frozenset(serial_of(node) for node in stale)
        below = self._depths.below(stale, look)
        look.stale, look.frontier = below.nodes, frontier
        look.leaves = len(leaves | below.leaves)
        self._leaves |= below.leaves
        if below.witness is None or below.witness >= self._lineage.current:
            return False
        if not look.fresh and below.oldest == self._oldest_of(stale):
            below = replace(below, witness=None)  # an old root by itself: walked again, no chain
        if self.frontiers.isdisjoint(frontier):
            self._stale.append(below)
        elif below.nodes > sum(earlier.nodes for earlier in self._stale):
            self._stale = [below]
        self.frontiers |= frontier
        return True

    def _enter_others(self, roots: Iterable[Node], entered: Container[Node]) -> None:
        """What no mark proves to be old is reached all the same. A device's thread builds the nodes
        of a double backward, with numbers of its own, and below them come this iteration's again.
        """
        for node in inner(roots, MOST_NODES):
            if node in entered:
                continue
            number = sequence_of(node)
            if number < self._lineage.start:
                self._roll.enter_other(node, number)
            else:
                self._roll.enter(node, number)

    def _oldest_of(self, nodes: Iterable[Node]) -> int:
        """Of the generations in which they were built."""
        return min(self._lineage.generation_of(sequence_of(node)) for node in nodes)
