"""What is known of the generations below an iteration, so that no walk need go there again.

Owns the counts of sets of stale nodes, and how many of these are remembered. Holds no node: a set
is known by its nodes' serials. Must not know how nodes are walked.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import torch

from gradwatch_agent.graph.ledger import Ledger
from gradwatch_agent.torch_seam import is_outdated_leaf

_MEMORY = 64
"""Sets of stale nodes whose counts are remembered; a chain needs one or two."""

LeafVersion: TypeAlias = tuple[weakref.ref[torch.Tensor], int]

_VIEWS: Final = ("TBackward", "View", "Transpose", "Permute", "Expand", "Select", "Slice", "Alias")
"""Beginnings of the types of nodes that only look at their input: never out of date."""


@dataclass(frozen=True, slots=True)
class Below:
    """What lies below a set of stale nodes, themselves included."""

    nodes: int = 0
    oldest: int | None = None
    witness: int | None = None
    """The earliest iteration in which one of them was already seen: proof that it is old."""
    saves: bool = False
    """Whether any of them had something to free."""
    leaves: dict[int, int] = field(default_factory=dict)
    """Serial number of each leaf, and the address of its storage."""
    types: Counter[str] = field(default_factory=Counter)
    saved: Ledger = field(default_factory=Ledger)
    versions: dict[int, LeafVersion] = field(default_factory=dict)
    """Each leaf as it was when the nodes above it were first seen, by its serial."""

    def with_upper(self, upper: Below, storages: dict[int, int]) -> Below:
        """The same with a layer above it, which saves these storages."""
        return Below(
            self.nodes + upper.nodes,
            earlier(self.oldest, upper.oldest),
            earlier(self.witness, upper.witness),
            self.saves or upper.saves,
            self.leaves | upper.leaves,
            self.types + upper.types,
            self.saved.with_layer(storages),
            upper.versions | self.versions,
        )

    def is_outdated(self) -> bool:
        """Whether a parameter was changed after the nodes above it were seen, views aside."""
        if all(kind.startswith(_VIEWS) for kind in self.types):
            return False
        return any(is_outdated_leaf(seen) for seen in self.versions.values())


class Remembered:
    """The sets of stale nodes met last, each with what lies below it."""

    def __init__(self) -> None:
        self._known: dict[frozenset[int], Below] = {}

    def get(self, nodes: frozenset[int]) -> Below | None:
        """What lies below the nodes of these serials; None if it is to be walked."""
        return self._known.get(nodes)

    def put(self, nodes: frozenset[int], below: Below, iteration: int) -> None:
        """The nodes were walked in this iteration: which proves, later on, that they are old."""
        self._known[nodes] = replace(below, witness=earlier(below.witness, iteration))
        if len(self._known) > _MEMORY:
            del self._known[next(iter(self._known))]

    def forget_saving(self) -> None:
        """What had something to free has been freed."""
        self._known = {nodes: below for nodes, below in self._known.items() if not below.saves}


def earliest(iterations: Iterable[int | None]) -> int | None:
    """The earliest of those that are known."""
    return min((iteration for iteration in iterations if iteration is not None), default=None)


def earlier(a: int | None, b: int | None) -> int | None:
    """The earlier of the two, if any is known."""
    return b if a is None else a if b is None else min(a, b)
