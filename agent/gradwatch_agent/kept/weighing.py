"""What the elements of a container keep in memory, by a sample of them.

An estimate: nothing is copied, and no code of the elements' own is run. Must not know names.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Collection
from random import Random
from typing import Any, Final, NamedTuple

import torch

from gradwatch_agent.naming.containers import elements, first, size_of
from gradwatch_agent.naming.inside import parts
from gradwatch_agent.torch_seam import bytes_of

_SAMPLE: Final = 64
"""Elements weighed to know what one weighs on average."""

_UNEVEN: Final = tuple(
    part / _SAMPLE
    for part in Random(0).sample(range(_SAMPLE), _SAMPLE)  # noqa: S311 - no secret
)
"""Where each of them is taken, within its part of the container."""

_COUNTED: Final = 512
"""Elements that are asked how many they have."""

_FILLED: Final = (list, dict, deque, set)
"""What elements are put into later."""

_INNER: Final = 8
"""The same for a container within an element."""

_DEPTH: Final = 3
"""Containers within an element, one in another: a batch of rows of numbers under a key."""

_OURS: Final = 3
"""References to what an array alone was cut from: its own, our variable, the count's."""


class Weight(NamedTuple):
    """In bytes."""

    kept: float
    """What would be freed with it: a view keeps all that it was cut from."""
    shown: float
    """What can be seen of that."""

    def and_(self, other: Weight) -> Weight:
        """Both together."""
        return Weight(self.kept + other.kept, self.shown + other.shown)

    def times(self, factor: float) -> Weight:
        """So many like it."""
        return Weight(self.kept * factor, self.shown * factor)


def of_elements(container: Collection[Any], sample: int = _SAMPLE, depth: int = _DEPTH) -> Weight:
    """What all elements weigh, by a sample spread over the container."""
    weights = [_of(item, depth) for item in _spread(container, sample)]
    return _sum(weights).times(size_of(container) / len(weights)) if weights else Weight(0, 0)


def things_in(container: Collection[Any], sample: int = _COUNTED, depth: int = _DEPTH) -> int:
    """How many elements it has, with those of the containers that it is made of, by a sample."""
    size = size_of(container)
    if not depth or not issubclass(type(first(container)), _FILLED):
        return size
    items = _spread(container, sample)
    inner = (item for item in items if issubclass(type(item), _FILLED))
    return size + sum(things_in(item, _INNER, depth - 1) for item in inner) * size // len(items)


def _sum(weights: list[Weight]) -> Weight:
    return Weight(sum(w.kept for w in weights), sum(w.shown for w in weights))


def _spread(container: Collection[Any], count: int) -> list[Any]:
    """Some of its elements, at no even steps: of what is put in by turns, some of each are met."""
    items = elements(container)
    if len(items) <= count:
        return items
    places = (
        int((number + _UNEVEN[number % _SAMPLE]) * len(items) / count) for number in range(count)
    )
    return [items[place] for place in places]


def _of(item: Any, depth: int) -> Weight:
    """What lies behind one element, its own containers included."""
    if issubclass(type(item), torch.Tensor):
        return Weight(*bytes_of(item))
    if type(item).__module__ == "numpy":
        return Weight(_of_array(item), int(item.nbytes))
    own = sys.getsizeof(item, 0)
    weight = Weight(own, own)
    if issubclass(type(item), list | tuple | dict) and depth:
        return weight.and_(of_elements(item, _INNER, depth - 1))
    return weight.and_(_sum([_of(part, depth - 1) for part in parts(item)] if depth else []))


def _of_array(array: Any) -> int:
    """Of numpy's: the whole of which it is the only view."""
    whole = getattr(array, "base", None)
    alone = whole is not None and sys.getrefcount(whole) <= _OURS
    return max(int(array.nbytes), int(getattr(whole, "nbytes", 0)) if alone else 0)
