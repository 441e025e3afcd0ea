"""Marks on nodes: an object put into a node's own metadata dies with the node.

So it tells, with no hook, when a graph is gone. Must not know what a generation is worth.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from gradwatch_agent.torch_seam import Node, sequence_of

_KEY: Final = "gradwatch"

_MOST: Final = 16_384
"""Numbers of marked nodes that are remembered (1 MB)."""


class Sentinel:
    """Shared by the nodes that one backward marked; tells when the last of them dies."""

    __slots__ = ("__weakref__", "_died", "generation", "spent")

    def __init__(
        self, generation: int, died: deque[tuple[int, bool]], *, spent: bool = False
    ) -> None:
        self.generation = generation
        self.spent = spent
        """Whether a backward freed the buffers of the graph it marks."""
        self._died = died

    def is_of(self, died: deque[tuple[int, bool]]) -> bool:
        """Whether its end is told there."""
        return self._died is died

    def __del__(self) -> None:
        # Runs wherever the graph is freed, the engine's threads included: only an append.
        self._died.append((self.generation, self.spent))


def sentinel_of(node: Node) -> Sentinel | None:
    """The sentinel that a node was marked with."""
    found: Sentinel | None = node.metadata.get(_KEY)
    return found


class Marked:
    """The numbers of the nodes that bear a mark, some dead by now.

    Told by the number alone: once its metadata were asked for, torch keeps room for them as long
    as the node lives, 56 bytes in the midst of the memory that tensors come from. A few of these
    for each node that is walked, and what a tensor leaves free is too small for the next: memory
    climbs by a tensor an iteration.
    """

    def __init__(self) -> None:
        self._numbers: set[int] = set()

    def __contains__(self, node: Node) -> bool:
        return sequence_of(node) in self._numbers

    def put(self, node: Node, sentinel: Sentinel) -> None:
        """Marks the node, which bears none yet."""
        node.metadata[_KEY] = sentinel
        if len(self._numbers) >= _MOST:
            self._numbers.clear()
        self._numbers.add(sequence_of(node))
