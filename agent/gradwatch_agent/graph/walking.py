"""A bounded walk through a graph, for those who ask of each node by itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of


def walk(
    roots: Iterable[Node], most: int = 200_000, ends: Callable[[Node], bool] | None = None
) -> Iterator[Node]:
    """The nodes from these roots on, leaves too: each once, the nearest first, at most so many; no
    end, nor what lies only below one.
    """
    seen = dict.fromkeys(roots)
    waiting = deque(seen)
    while waiting:
        node = waiting.popleft()
        if ends is not None and ends(node):
            continue
        yield node
        for child in edges(node):
            if child not in seen and len(seen) < most:
                seen[child] = None
                waiting.append(child)


def inner(roots: Iterable[Node], most: int) -> Iterator[Node]:
    """The same without the leaves."""
    return (node for node in walk(roots, most) if sequence_of(node) < LEAF)
