"""What the elements of a container keep in memory, by a sample of them.

An estimate: nothing is copied, and no code of the elements' own is run. Must not know names.
"""

from __future__ import annotations

import functools
import sys
import types
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

import torch

from gradwatch_agent.naming.captured import captured, framed
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


def of_elements(container: Collection[Any]) -> Weight:
    """What all elements weigh, by a sample spread over the container."""
    items = {id(item): item for item in _spread(container, _SAMPLE)}
    sample = [list(_behind(item, _DEPTH)) for item in items.values()]
    several = Counter(key for found in sample for key in {each.key for each in found})
    own = (each for found in sample for each in found if not each.key or several[each.key] == 1)
    whole = _sum(each.weight for each in own)
    return whole.times(size_of(container) / len(sample)) if sample else whole


def things_in(container: Collection[Any], sample: int = _COUNTED, depth: int = _DEPTH) -> int:
    """How many elements it has, with those of the containers that it is made of, by a sample."""
    size = size_of(container)
    if not depth or not issubclass(type(first(container)), _FILLED):
        return size
    items = _spread(container, sample)
    inner = (item for item in items if issubclass(type(item), _FILLED))
    return size + sum(things_in(item, _INNER, depth - 1) for item in inner) * size // len(items)


def _sum(weights: Iterable[Weight]) -> Weight:
    return functools.reduce(Weight.and_, weights, Weight(0, 0))


def _spread(container: Collection[Any], count: int) -> list[Any]:
    """Some of its elements, at no even steps: of what is put in by turns, some of each are met."""
    items = elements(container)
    if len(items) <= count:
        return items
    places = (
        int((number + _UNEVEN[number % _SAMPLE]) * len(items) / count) for number in range(count)
    )
    return [items[place] for place in places]


class _Part(NamedTuple):
    """Of one element."""

    weight: Weight
    key: int = 0
    """The identity of what a callable keeps, or an exception's frames: if others keep it too, it is
    no element's own."""


def _behind(item: Any, depth: int) -> Iterator[_Part]:
    """What lies behind one element, its own containers included."""
    if issubclass(type(item), torch.Tensor):
        yield _Part(Weight(*bytes_of(item)))
        return
    if type(item).__module__ == "numpy":
        yield _Part(Weight(_of_array(item), int(item.nbytes)))
        return
    own = sys.getsizeof(item, 0)
    yield _Part(Weight(own, own))
    if not depth:
        return
    if issubclass(type(item), (*_FILLED, tuple)):
        inner = _spread(item, _INNER)
        for part in (part for each in inner for part in _behind(each, depth - 1)):
            yield part._replace(weight=part.weight.times(size_of(item) / len(inner)))
        return
    below = depth if type(item) is types.MethodType else depth - 1  # whose object is meant
    for each in (*captured(item), *framed(item)):
        yield _Part(_sum(part.weight for part in _behind(each, below)), id(each))
    for each in parts(item):
        yield from _behind(each, depth - 1)


def _of_array(array: Any) -> int:
    """Of numpy's: the whole of which it is the only view."""
    whole = getattr(array, "base", None)
    alone = whole is not None and sys.getrefcount(whole) <= _OURS
    return max(int(array.nbytes), int(getattr(whole, "nbytes", 0)) if alone else 0)
