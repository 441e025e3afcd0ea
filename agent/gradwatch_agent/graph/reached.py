"""What a walk tells: the counts of an iteration, what one backward is about to reach, its way into
earlier iterations.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Final

from gradwatch_agent import torch_seam
from gradwatch_agent.graph.sentinels import Sentinel
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.torch_seam import Node, sequence_of

_SERIAL: Final = "gradwatch.serial"

MOST_NODES = 300_000
"""A walk gives up here, about 0.1 s; it happens at most once for a graph that grew unseen."""

_serials = itertools.count(1)
"""One for the process: threads share leaves, and a node may outlive the session that saw it."""


@dataclass(slots=True)
class Counts:
    """What the backwards of one iteration reached."""

    reached: int = 0
    fresh: int = 0
    stale: int = 0
    late: int = 0
    """Built in an earlier iteration, and walked by no backward before."""
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
    generation: int
    """The iteration in which it was built."""
    made: tuple[Site, ...] = ()
    """The user's lines that made the stale node, innermost first; empty if not noted."""
    used: tuple[Site, ...] = ()
    """Those that made the new node, which uses it."""


@dataclass(slots=True)
class Look:
    """What one backward is about to reach. Holds nodes: must not outlive the backward's start."""

    failed: bool = False
    """That has failed already, for want of what was freed: what looks freed, is."""
    fresh: int = 0
    stale: int = 0
    leaves: int = 0
    freed: Node | None = None
    """A node whose buffers an earlier backward freed: this backward must fail there."""
    freed_generation: int | None = None
    users: dict[Node, Node | None] = field(default_factory=dict)
    """Stale nodes at which it leaves this iteration, and the new ones that use them; some."""
    generation_of: Callable[[int], int] = int
    """In which iteration the node with that number was built."""
    marks: bool = True
    """Sources are marked, so that it is known when they die, and proven that they are old."""
    met: set[Sentinel] = field(default_factory=set)
    """What its sources bear, by this backward or an earlier one of the same iteration."""
    touches: bool = True
    """It reaches a leaf by nodes of this iteration."""
    frontier: frozenset[int] = frozenset()
    """The serials of the stale nodes at which it leaves this iteration."""
    addresses: Collection[int] = ()
    """Of the storages of the leaves it reaches so."""
    at_leaves: Collection[Node] = ()
    """These leaves' own nodes."""
    first_leaf: Node | None = None
    """Of those, the one that was met before all others; in the first iteration alone."""
    again: bool = False
    """It walks buffers of this iteration that an earlier backward has walked."""

    def meets(self, node: Node, generation: int) -> None:
        """An earlier backward may have freed what the node saved. Where one has failed already, a
        custom Function must have been looked into; and of nodes of one iteration the first that was
        built is told, for the failing backward itself has freed those above it.
        """
        known = self.freed
        if known is not None and not (self.failed and generation == self.freed_generation):
            return
        if known is not None and sequence_of(node) > sequence_of(known):
            return
        if torch_seam.must_fail(node) or (self.failed and torch_seam.is_freed(node)):
            self.freed, self.freed_generation = node, generation

    def carries(self, iteration: int) -> bool:
        """Whether something was carried into the graph of that iteration, which has a forward of
        its own; if not, it is but a sum of what was built before a step.
        """
        if not self.fresh:
            return False
        return any(
            self.touches or self.generation_of(sequence_of(stale)) < iteration - 1
            for stale in self.users
        )

    def stops_at(self, ends: list[Node]) -> bool:
        """Whether the engine goes no farther back than this iteration where it stops at these: what
        lies below a node was made before it.
        """
        first = min(map(sequence_of, ends), default=0)
        return bool(ends) and all(n in ends or sequence_of(n) < first for n in self.users)

    def crossings(self) -> tuple[Crossing, ...]:
        """The edges into earlier iterations. Put together when they are asked for: what the nodes
        would be asked, torch keeps room for as long as they live.
        """
        return tuple(self._crossing(stale, user) for stale, user in self.users.items())

    def _crossing(self, stale: Node, user: Node | None) -> Crossing:
        used = made_at(user) if user is not None else ()
        sequence = sequence_of(stale)
        generation = self.generation_of(sequence)
        return Crossing(serial_of(stale), sequence, generation, made_at(stale), used)


class TooLarge(RuntimeError):
    """The graph has more unseen nodes than a walk may visit."""


def by_name(kinds: Counter[type]) -> Counter[str]:
    """How many nodes there are of each name; several types may have one."""
    named: Counter[str] = Counter()
    for kind, count in kinds.items():
        named[kind.__name__] += count
    return named


def is_among(node: Node, serials: Collection[int]) -> bool:
    """Whether it has one of these numbers; most have none."""
    return node.metadata.get(_SERIAL) in serials


def serial_of(node: Node) -> int:
    """A number of the node's own, kept by the node: its Python object comes and goes."""
    metadata: dict[str, Any] = node.metadata
    serial: int | None = metadata.get(_SERIAL)
    if serial is None:
        serial = metadata[_SERIAL] = next(_serials)
    return serial
