"""What a walk tells: the counts of an iteration, what one backward is about to reach, its way into
earlier iterations.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from gradwatch_agent.lines.sites import Site
from gradwatch_agent.torch_seam import Node

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
    crossings: tuple[Crossing, ...] = ()
    touches: bool = True
    """It reaches a leaf by nodes of this iteration."""
    frontier: frozenset[int] = frozenset()
    """The serials of the stale nodes at which it leaves this iteration."""
    addresses: Collection[int] = ()
    """Of the storages of the leaves it reaches so."""
    again: bool = False
    """It walks buffers of this iteration that an earlier backward has walked."""

    def carries(self, iteration: int) -> bool:
        """Whether something was carried into the graph of that iteration, which has a forward of
        its own; if not, it is but a sum of what was built before a step.
        """
        if not self.fresh:
            return False
        return any(self.touches or each.generation < iteration - 1 for each in self.crossings)


class TooLarge(RuntimeError):
    """The graph has more unseen nodes than a walk may visit."""


def serial_of(node: Node) -> int:
    """A number of the node's own, kept by the node: its Python object comes and goes."""
    metadata: dict[str, Any] = node.metadata
    serial: int | None = metadata.get(_SERIAL)
    if serial is None:
        serial = metadata[_SERIAL] = next(_serials)
    return serial
