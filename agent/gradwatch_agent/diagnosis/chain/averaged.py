"""Where what is carried over was made anew of an average: `codebook = average / counts`.

Detached itself, it would end no graph: the average goes on from its own, and is what to detach.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gradwatch_agent.diagnosis.chain.names import Named, place
from gradwatch_agent.diagnosis.lasting.variables import may_last
from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.graph.walking import bottom_up
from gradwatch_agent.naming import Path
from gradwatch_agent.torch_seam import LEAF, Node, sequence_of

_MOST: Final = 1_000
"""Nodes between the two; a corrected average has a few."""


def gathers(path: Path) -> bool:
    """Whether what lies there goes on from what lay there before."""
    return any(store.accumulates and not store.fresh for store in candidates(path))


def average_below(
    node: Node, path: Path, names: Callable[[Node], list[Named]]
) -> tuple[Node, Named] | None:
    """Of what goes by that path, the one name from which it has all of its graph, if that gathers:
    nothing if it gathers itself.
    """
    if gathers(path):
        return None
    asked = 0
    found: dict[Node, Named] = {}

    def ends(below: Node) -> bool:
        nonlocal asked
        asked += 1
        others = (each for each in names(below) if place(each[0]) != place(path))
        for each in others if below is not node else ():
            if may_last(each[0]) and gathers(each[0]):
                found[below] = each
        return below in found or asked > _MOST

    order = bottom_up([node], ends)
    beside = any(sequence_of(below) >= LEAF for below in order)
    return next(iter(found.items())) if len(found) == 1 and not beside and asked <= _MOST else None


def goes_on(average: Node, newest: list[Node]) -> bool:
    """Whether one of these is it still, or was made of it."""
    since = sequence_of(average)
    return any(average in bottom_up([node], lambda n: sequence_of(n) <= since) for node in newest)
