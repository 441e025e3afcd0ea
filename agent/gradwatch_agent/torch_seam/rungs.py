"""The one way down a graph, made so that the graph can still be let go of.

From Python, a node is seen through an object that torch then keeps for as long as the node. A
graph of plain nodes is freed in a loop; one of nodes that have such an object, each inside the
destructor of the one before: 40,000 in a row overflow a stack of 8 MB, and the program dies.
So, every so often on the way down, a node gets to hold what comes a good way below it: the
freeing stops there, comes back up, and goes on from the top. Whoever holds reaches what it holds
by its own edges, so nothing lives longer than it would.
"""

from __future__ import annotations

from typing import Any, Final

from gradwatch_agent.torch_seam.nodes import LEAF, Node, sequence_of

_KEY: Final = "gradwatch.rungs"

_BLOCK: Final = 2_048
"""Sequence numbers between two rungs. Numbers fall along each edge, so that no way through a block
has more nodes; each takes 0.2 to 0.4 kB of the stack, and a way may have two blocks."""


def edges(node: Node) -> list[Node]:
    """The nodes this one hands its gradients to."""
    children = [child for child, _ in node.next_functions if child is not None]
    block = sequence_of(node) // _BLOCK
    entered = [
        child
        for child in children
        if (number := sequence_of(child)) // _BLOCK != block and number < LEAF
    ]
    if entered:
        # The oldest first: each may then hold those before it instead of going by them.
        for child in sorted(entered, key=sequence_of):
            _settle(child)
    return children


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
