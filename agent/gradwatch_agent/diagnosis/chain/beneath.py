"""Of what an old value was made: what it is but another shape of, and where the rest was built.

`b_logp = logp.flatten()` ahead of the loop that trains: what is to be detached, or built anew, is
`logp`. Moved into the loop by itself the line would cure nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from gradwatch_agent.diagnosis.chain.names import Named, place
from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.graph.walking import bottom_up
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Lines
from gradwatch_agent.naming import Path
from gradwatch_agent.torch_seam import LEAF, Node, only_edge, saves, sequence_of

_MOST: Final = 1_000
"""Nodes that are asked where they were made."""

_COPY: Final = "it is a copy of weights, for them to be compared with"


def shape_of(
    node: Node | None, path: Path, names: Callable[[Node], list[Named]]
) -> tuple[Node, Named] | None:
    """What a variable is but another shape of, if it has a name; not what a loop draws of it."""
    drawn = any(isinstance(store.node, ast.For | ast.AsyncFor) for store in candidates(path))
    below = node if not (drawn or path.steps or path.attribute) else None
    while below is not None and not saves(below) and (below := only_edge(below)) is not None:
        for each in names(below):
            if place(each[0]) != place(path):
                return below, each
    return None


def made_beneath(node: Node | None) -> frozenset[Lines]:
    """The lines that made the node and what lies below it, where they are known."""
    asked = 0

    def ends(_: Node) -> bool:
        nonlocal asked
        asked += 1
        return asked > _MOST

    below = bottom_up([node], ends) if node is not None else []
    return frozenset(made_at(each) for each in below if sequence_of(each) < LEAF) - {()}


def why_compared(node: Node | None) -> str:
    """In words, why a loss needs no gradient of it; empty where that is not known: of a copy of
    weights, `weight.clone()`, the gradient goes to what is compared with it.
    """
    if node is None or type(node).__name__ != "CloneBackward0":
        return ""
    below = only_edge(node)
    return _COPY if below is not None and sequence_of(below) >= LEAF else ""
