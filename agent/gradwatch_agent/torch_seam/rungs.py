"""The one way down a graph, made so that the graph can still be let go of.

From Python, a node is seen through an object that torch then keeps for as long as the node. A
graph of plain nodes is freed in a loop; one of nodes that have such an object, each inside the
destructor of the one before: 40,000 in a row overflow a stack of 8 MB, and the program dies.
So, every so often on the way down, a node gets to hold what comes a good way below it: the
freeing stops there, comes back up, and goes on from the top. Whoever holds reaches what it holds
by its own edges, so nothing lives longer than it would.
"""

from __future__ import annotations

import operator
from typing import Any, Final

from gradwatch_agent.torch_seam.nodes import LEAF, Node, sequence_of

_KEY: Final = "gradwatch.rungs"

_number: Final = operator.itemgetter(0)

_BLOCK: Final = 2_048
"""Sequence numbers between two rungs. Numbers fall along each edge, so that no way through a block
has more nodes; each takes 0.2 to 0.4 kB of the stack, and a way may have two blocks."""


def edges(node: Node) -> list[Node]:
    """The nodes this one hands its gradients to."""
    return [child for _, child in numbered_edges(node, sequence_of(node))]


def numbered_edges(node: Node, number: int) -> list[tuple[int, Node]]:
    """The same, each with its sequence number; `number` is the node's own.

    Called for every node that is counted: numbers are asked for once.
    """
    children = [
        (sequence_of(child), child) for child, _ in node.next_functions if child is not None
    ]
    block = number // _BLOCK
    for below, _ in children:
        if below // _BLOCK != block and below < LEAF:
            _enter(block, children)
            break
    return children


def only_edge(node: Node) -> Node | None:
    """The node it was made of, where it is that one alone."""
    below = edges(node)
    return below[0] if len(below) == len(node.next_functions) == 1 else None


def outputs_read(node: Node, child: Node) -> set[int]:
    """Which outputs of the one below the node has read; both have been met on the way down."""
    return {output for below, output in node.next_functions if below is child}


def _enter(block: int, children: list[tuple[int, Node]]) -> None:
    """The way leads into other blocks."""
    entered = [(n, child) for n, child in children if n // _BLOCK != block and n < LEAF]
    # The oldest first: each may then hold those before it instead of going by them.
    for _, child in sorted(entered, key=_number):
        _settle(child)


def _settle(rung: Node) -> None:
    """Lets the first node of a block hold those of other blocks, and rungs, that it reaches."""
    metadata: dict[str, Any] = rung.metadata
    if _KEY in metadata:
        return
    block = sequence_of(rung) // _BLOCK
    held, seen, waiting = [], {rung}, [rung]
    while waiting:
        for child, _ in waiting.pop().next_functions:
            if child is None or child in seen or sequence_of(child) >= LEAF:
                continue
            seen.add(child)
            if sequence_of(child) // _BLOCK != block or _KEY in child.metadata:
                held.append(child)
            else:
                waiting.append(child)
    metadata[_KEY] = tuple(
        sorted(held, key=sequence_of)
    )  # let go of from its end: the newest first
