"""Whether what an earlier backward has freed needs no gradient where this loss uses it, and why.

Holds nodes only while it is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from gradwatch_agent.graph.reached import Look
from gradwatch_agent.graph.walking import parameters, walk
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of

_UNTRAINED: Final = "this optimizer trains nothing of it"

_MEASURE: Final = "it is what the new one is measured by"


def why_constant(look: Look, roots: list[Node], trained: Collection[int]) -> str:
    """In words; empty where it is none. `trained`: the ids of what stepped by the backward that
    freed it.
    """
    below = parameters(look.users).keys()
    if trained and below.isdisjoint(trained):
        return _UNTRAINED
    new = list(walk(roots, ends=look.users.__contains__))
    anyway = below <= {id(node.variable) for node in new if sequence_of(node) >= LEAF}
    return _MEASURE if anyway and look.users.keys() == set(_measures(new, look.users)) else ""


def _measures(new: list[Node], old: Collection[Node]) -> Iterator[Node]:
    """The old ones by which new ones are divided: `new / old`, `exp(new - old)`. An old policy's
    probabilities computed anew would be the new ones, and their ratio always 1.
    """
    for node in new:
        ratio = _straight_down(node) if type(node).__name__ == "ExpBackward0" else node
        wanted = "DivBackward0" if ratio is node else "SubBackward0"
        if type(ratio).__name__ == wanted and len(parts := edges(ratio)) > 1:
            below = _straight_down(parts[1], old)
            if below in old:
                yield below


def _straight_down(node: Node, ends: Collection[Node] = ()) -> Node:
    """The first below that is an end, or has not one edge: what views and bounds are made of."""
    while node not in ends and len(below := edges(node)) == 1:
        node = below[0]
    return node
