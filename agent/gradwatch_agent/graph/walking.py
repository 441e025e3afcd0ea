"""Bounded walks through a graph, for those who ask of each node by itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import torch

from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of

_MOST_NODES: Final = 200_000


def walk(
    roots: Iterable[Node], most: int = _MOST_NODES, ends: Callable[[Node], bool] | None = None
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


def bottom_up(roots: list[Node], ends: Callable[[Node], bool] = lambda _node: False) -> list[Node]:
    """Every node after all that lie below it; what lies below an end is left out."""
    order: list[Node] = []
    seen: set[Node] = set()
    waiting = [(root, False) for root in roots]
    while waiting and len(seen) < _MOST_NODES:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            if ends(node):
                continue
            waiting.extend((child, False) for child in edges(node) if child not in seen)
    return order


def made_of(roots: list[Node], nodes: Iterable[Node]) -> list[Node]:
    """What lies between: the nodes that were made of those, in the order of their making."""
    reach = set(nodes)
    found = []
    for node in bottom_up(roots):
        if node not in reach and not reach.isdisjoint(edges(node)):
            reach.add(node)
            found.append(node)
    return sorted(found, key=sequence_of)


def parameters(roots: Iterable[Node]) -> dict[int, torch.Tensor]:
    """The tensors at the leaves, by their ids."""
    tensors = [node.variable for node in walk(roots) if sequence_of(node) >= LEAF]
    return {id(tensor): tensor for tensor in tensors}
