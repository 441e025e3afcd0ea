"""Which elements of a container hold graphs, and of which iterations.

Owns how much of a container is looked through for that: a program's biggest ones hold none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from typing import Any, Final

import torch

from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.naming.captured import captured
from gradwatch_agent.naming.containers import CONTAINERS, elements, newest_places, size_of
from gradwatch_agent.naming.inside import is_node, may_hold, parts
from gradwatch_agent.torch_seam import graph_of, is_there, sequence_of

_MOST_ELEMENTS: Final = 512
"""Elements of one container whose generations are compared: the newest."""

_DEPTH: Final = 3
"""Steps from an element to its tensor."""

_PARTS: Final = 16
"""Of one thing, that are looked into."""

_BARREN: Final = 1_024
"""Things looked at one after the other, none of which has a graph: nor will the rest."""

LISTS: Final = (list, set, deque)
"""What may come to hold more, and goes by the name of what it lies in."""


def placed(container: Collection[Any], lineage: Lineage) -> tuple[list[tuple[int, int]], bool]:
    """Places of elements that hold graphs, in order, each with the newest generation there, and
    whether any of them is not itself a list.
    """
    items, reading, places, direct = elements(container), _Reading(), [], False
    for place in reversed(newest_places(items, _MOST_ELEMENTS)):
        generations = [lineage.generation_of(n) for n in reading.numbers(items[place], _DEPTH)]
        if generations:
            places.append((place, max(generations)))
            direct = direct or not issubclass(type(items[place]), LISTS)
        elif reading.in_vain >= _BARREN:
            break
    return places[::-1], direct


def _filled(item: Any) -> list[Any]:
    """What its attributes hold; of a module's many own ones, most are empty."""
    every = (part for part in parts(item) if may_hold(part))
    return [part for part in every if not issubclass(type(part), CONTAINERS) or size_of(part)]


class _Reading:
    """Of one container. No code of its elements' classes runs."""

    def __init__(self) -> None:
        self.in_vain = 0
        """Things looked at since the last that had a graph."""

    def numbers(self, item: Any, depth: int) -> Iterator[int]:
        """Of the nodes of the tensors in it, or its own."""
        kind = type(item)
        self.in_vain += 1
        if is_node(kind):
            if is_there(item):
                yield self._found(sequence_of(item))
        elif issubclass(kind, torch.Tensor):
            if (node := graph_of(item)) is not None:
                yield self._found(sequence_of(node))
        elif depth and may_hold(item) and self.in_vain < _BARREN:
            within = elements(item) if issubclass(kind, CONTAINERS) else None
            for part in (within or captured(item) or _filled(item))[:_PARTS]:
                yield from self.numbers(part, depth - 1)

    def _found(self, number: int) -> int:
        self.in_vain = 0
        return number
