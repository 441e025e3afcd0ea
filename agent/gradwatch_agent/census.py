"""The walk of a graph: what a backward is about to reach, new and stale apart.

Owns the counts of one iteration. A walk stays bounded when the graph does not: below a set of
stale nodes that was counted before, it does not descend. Must not know when it is called or what
is concluded.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from gradwatch_agent import torch_seam
from gradwatch_agent.below import Below, Remembered, earlier, earliest
from gradwatch_agent.capture import made_at
from gradwatch_agent.lineage import Lineage, sentinel_of
from gradwatch_agent.sites import Site
from gradwatch_agent.torch_seam import LEAF, Node, sequence_of

_SERIAL: Final = "gradwatch.serial"

_serials = itertools.count(1)
"""One for the process: threads share leaves, and a node may outlive the session that saw it."""

_CROSSINGS: Final = 8
"""Edges into earlier iterations that are looked at closely."""

_MOST_NODES = 300_000
"""A walk gives up here, about 0.1 s; it happens at most once for a graph that grew unseen."""


@dataclass(slots=True)
class Counts:
    """What the backwards of one iteration reached."""

    reached: int = 0
    fresh: int = 0
    stale: int = 0
    oldest: int | None = None
    proven: int | None = None
    outdated: bool = False
    saved_bytes: int = 0
    storages: int = 0
    types: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Crossing:
    """An edge from this iteration into an earlier one. Holds no node."""

    serial: int
    """Of the stale node."""
    sequence: int
    """Of the stale node: only nodes of one thread are told apart by it."""
    made: tuple[Site, ...] = ()
    """The user's lines that made the stale node, innermost first; empty if not noted."""
    used: tuple[Site, ...] = ()
    """Those that made the new node, which uses it."""


@dataclass(slots=True)
class Look:
    """What one backward is about to reach. Holds nodes: must not outlive the backward's start."""

    fresh: int = 0
    stale: int = 0
    leaves: int = 0
    freed: Node | None = None
    """A node whose buffers an earlier backward freed: this backward must fail there."""
    freed_generation: int | None = None
    crossings: tuple[Crossing, ...] = ()
    touches: bool = True
    """It reaches a leaf by nodes of this iteration."""
    frontier: frozenset[int] = frozenset()
    """The serials of the stale nodes at which it leaves this iteration."""
    addresses: Collection[int] = ()
    """Of the storages of the leaves it reaches so."""
    again: bool = False
    """It walks buffers of this iteration that an earlier backward has walked."""


class TooLarge(RuntimeError):
    """The graph has more unseen nodes than a walk may visit."""


class Census:
    """Counts for one training thread; `begin` at each iteration, `look` before each backward."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._remembered = Remembered()
        self.begin()

    def begin(self) -> None:
        """A new iteration."""
        self.looks = 0
        self._sequences: set[int] = set()
        self._storages: dict[int, int] = {}
        self._types: Counter[str] = Counter()
        self._leaves: dict[int, int] = {}
        """Serial number of each leaf reached, and the address of its storage."""
        self._frontiers: set[int] = set()
        self._stale: list[Below] = []
        self._reached_stale = False

    def reached_number(self, number: int) -> bool:
        """Whether a backward of this iteration reached the node so numbered."""
        return number in self._sequences

    def reached_among(self, numbers: range) -> int:
        """How many of the nodes so numbered were reached."""
        return sum(1 for number in self._sequences if number in numbers)

    def freed(self) -> None:
        """The backward last looked at freed what it reached: what is remembered holds no more."""
        if self._reached_stale:
            self._remembered.forget_saving()

    def counts(self) -> Counts:
        """What this iteration's backwards reached, each node once."""
        stale = sum(below.nodes for below in self._stale)
        types = sum((below.types for below in self._stale), self._types + Counter())
        if self._leaves:
            types["AccumulateGrad"] += len(self._leaves)
        storages, saved_bytes = self._saved()
        return Counts(
            reached=len(self._sequences) + stale + len(self._leaves),
            fresh=len(self._sequences),
            stale=stale,
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
            for at, size in self._storages.items()
            if at not in leaves and not any(at in ledger for ledger in ledgers)
        ]
        count, size_bytes = len(new), sum(new)
        for ledger in ledgers:
            own, own_bytes = ledger.total_of(leaves)
            count += ledger.count - own
            size_bytes += ledger.size_bytes - own_bytes
        return count, size_bytes

    def look(self, roots: list[Node], *, check_new: bool) -> Look:
        """Walks from the roots. `check_new`: an earlier backward may have freed new nodes too.

        Raises `TooLarge`.
        """
        self.looks += 1
        start = self._lineage.start
        new = [root for root in roots if sequence_of(root) >= start]
        stale = {root for root in roots if sequence_of(root) < start}
        seen, leaves = set(new), set()
        look = Look()
        users: dict[Node, Node | None] = dict.fromkeys(list(stale)[:_CROSSINGS])
        waiting = list(seen)
        while waiting:
            node = waiting.pop()
            if not self._count(node) and torch_seam.saves(node):
                look.again = True
            source = True
            for child in torch_seam.edges(node):
                if child in leaves:
                    continue
                sequence = sequence_of(child)
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
            if source:
                self._lineage.mark(node)
            if check_new and look.freed is None and torch_seam.must_fail(node):
                look.freed, look.freed_generation = node, self._lineage.current
        look.fresh = len(seen)
        look.crossings = tuple(self._crossing(old, user) for old, user in users.items())
        own = self._leaves_of(leaves)
        look.touches, look.addresses = bool(own), set(own.values())
        self._leaves |= own
        self._reached_stale = bool(stale)
        self._settle(stale, own, look)
        return look

    def _crossing(self, stale: Node, user: Node | None) -> Crossing:
        used = made_at(user) if user is not None else ()
        return Crossing(self.serial(stale), sequence_of(stale), made_at(stale), used)

    def _count(self, node: Node) -> bool:
        """Counts a new node and what it saves; False if an earlier backward reached it too."""
        sequence = sequence_of(node)
        if sequence in self._sequences:
            return False
        if len(self._sequences) > _MOST_NODES:
            raise TooLarge(f"more than {_MOST_NODES} nodes in one iteration")
        self._sequences.add(sequence)
        self._types[type(node).__name__] += 1
        self._storages.update(torch_seam.saved_storages(node))
        return True

    def _leaves_of(self, leaves: Iterable[Node]) -> dict[int, int]:
        """The serial numbers of leaves, and the addresses of their storages."""
        found = {}
        for leaf in leaves:
            serial = self.serial(leaf)
            address = self._leaves.get(serial)
            found[serial] = torch_seam.leaf_storage(leaf) if address is None else address
        return found

    def _settle(self, stale: set[Node], leaves: dict[int, int], look: Look) -> None:
        """Adds what lies below the stale nodes, if it is proven to be old."""
        look.leaves = len(leaves)
        if not stale:
            return
        frontier = frozenset(self.serial(node) for node in stale)
        below = self._below(stale, look)
        look.stale, look.frontier = below.nodes, frontier
        look.leaves = len(leaves | below.leaves)
        self._leaves |= below.leaves
        if below.witness is None or below.witness >= self._lineage.current:
            return  # another thread's numbers, or its first sight
        if not look.fresh and below.oldest == self._oldest_of(stale):
            below = replace(below, witness=None)  # an old root by itself: walked again, no chain
        if self._frontiers.isdisjoint(frontier):
            self._stale.append(below)
        elif below.nodes > sum(earlier.nodes for earlier in self._stale):
            self._stale = [below]
        self._frontiers |= frontier

    def _oldest_of(self, nodes: Iterable[Node]) -> int:
        """Of the generations in which they were built."""
        return min(self._lineage.generation_of(sequence_of(node)) for node in nodes)

    def _below(self, stale: set[Node], look: Look) -> Below:
        """What lies below, generation by generation from the newest, down to what is known."""
        by_generation: dict[int, set[Node]] = {}
        for node in stale:
            generation = self._lineage.generation_of(sequence_of(node))
            by_generation.setdefault(generation, set()).add(node)
        passed: list[tuple[frozenset[int], Below, dict[int, int]]] = []
        found = Below()
        while by_generation:
            key = frozenset(self.serial(n) for nodes in by_generation.values() for n in nodes)
            known = self._remembered.get(key)
            if known is not None:
                found = known
                break
            newest = max(by_generation)
            layer = self._layer(newest, by_generation.pop(newest), by_generation, look)
            passed.append((key, *layer))
        for key, upper, storages in reversed(passed):
            found = found.with_upper(upper, storages)
            self._remembered.put(key, found, self._lineage.current)
        return found

    def _layer(
        self, generation: int, nodes: set[Node], older: dict[int, set[Node]], look: Look
    ) -> tuple[Below, dict[int, int]]:
        """One stale generation: its nodes that are reached, and the storages these save.

        What they reach in earlier generations goes into `older`.
        """
        lineage = self._lineage
        seen, waiting = set(nodes), list(nodes)
        leaves: set[Node] = set()
        types: Counter[str] = Counter()
        storages: dict[int, int] = {}
        witness: int | None = None
        saves = False
        spent = lineage.was_spent(generation)
        while waiting:
            node = waiting.pop()
            if len(seen) > _MOST_NODES:
                raise TooLarge(f"more than {_MOST_NODES} nodes in one generation")
            types[type(node).__name__] += 1
            storages.update(torch_seam.saved_storages(node))
            saves = saves or torch_seam.saves(node)
            if spent and look.freed is None and torch_seam.must_fail(node):
                look.freed, look.freed_generation = node, generation
            source = True
            for child in torch_seam.edges(node):
                sequence = sequence_of(child)
                if sequence >= LEAF:
                    leaves.add(child)
                    continue
                source = False
                built = lineage.generation_of(sequence)
                if built < generation:
                    older.setdefault(built, set()).add(child)
                elif child not in seen:
                    seen.add(child)
                    waiting.append(child)
            if source or sentinel_of(node) is not None:
                mark = lineage.mark(node)
                if mark is not None and mark.generation < lineage.current:
                    witness = earlier(witness, mark.generation)
        layer = Below(
            nodes=len(seen),
            oldest=generation,
            witness=witness,
            saves=saves,
            versions={self.serial(leaf): torch_seam.version_of(leaf) for leaf in leaves},
            leaves=self._leaves_of(leaves),
            types=types,
        )
        return layer, storages

    def serial(self, node: Node) -> int:
        """A number of the node's own, kept by the node: its Python object comes and goes."""
        metadata: dict[str, Any] = node.metadata
        serial: int | None = metadata.get(_SERIAL)
        if serial is None:
            serial = metadata[_SERIAL] = next(_serials)
        return serial
