"""Which container of the program grows, told by comparing two looks.

For memory that climbs though no graph explains it: lists of tensors, caches, arrays. Keeps
sizes and names between the looks, never what it saw.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, Final

import torch

from gradwatch_agent.advice.caching import limit
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.letting_go import bound
from gradwatch_agent.bounds import is_endless, is_guarded, limit_of, takes_out
from gradwatch_agent.diagnosis.answering import at_cache, at_line
from gradwatch_agent.diagnosis.stored import Aliases, store_of
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.naming.inside import elements, parts, size_of
from gradwatch_agent.source.stores import Store
from gradwatch_agent.verdicts.case import Answer

_SAMPLE: Final = 64
"""Elements weighed to know what one weighs on average."""

_UNEVEN: Final = tuple(
    part / _SAMPLE
    for part in Random(0).sample(range(_SAMPLE), _SAMPLE)  # noqa: S311 - no secret
)
"""Where each of them is taken, within its part of the container."""

_INNER: Final = 8
"""The same for a container within an element."""

_DEPTH: Final = 3
"""Containers within an element, one in another: a batch of rows of numbers under a key."""

_MOST: Final = 0.8
"""A container inside another that makes up this share of its growth is the better name."""

_COUNTS: Final = 0.1
"""Of several elements that grow, one that grows by this share of the most counts."""


@dataclass(frozen=True, slots=True)
class _Size:
    count: int
    weight_bytes: float
    """An estimate: the count times what a sample of elements weighs on average."""
    path: Path
    keyed: bool
    """A dict: it may be a cache, which is full when all that there is has been asked for."""
    endless: bool
    """One that is not: with real numbers in its keys, hardly any of them comes twice."""
    limited: bool
    """It is made to hold so many and no more."""


class Growth:
    """`look`, and later `answer`."""

    def __init__(self) -> None:
        self._first: dict[str, _Size] | None = None
        self._later: dict[str, _Size] | None = None
        """The last look but for the first."""

    @property
    def looked(self) -> bool:
        """Whether there was a first look."""
        return self._first is not None

    def look(self) -> None:
        """The first look: what everything weighs now."""
        self._first = _Sizes().look()

    def answer(self) -> Answer:
        """Another look: what grew most since the first, and since the last one too."""
        before, after = self._first or {}, (now := _Sizes()).look()
        later, self._later = self._later, after
        grown = {
            name: size.weight_bytes - (before[name].weight_bytes if name in before else 0.0)
            for name, size in after.items()
            if later is not None and _grew(size, before.get(name)) and _grew(size, later.get(name))
        }
        grown, after = _together(grown, after, before)
        most = max(grown.values(), default=0.0)
        if most <= 0:  # none, or their elements have become lighter
            return Answer(explains_bytes=0.0)
        names = [name for name, growth in grown.items() if growth >= _MOST * most]
        name = max(names, key=lambda name: (after[name].path.steps, grown[name]))
        path, keyed = after[name].path, after[name].keyed
        store = store_of(path, now.aliases, graphs=path.container == "tee")
        fills = _is_cache(store, path) if store is not None else keyed
        fills = after[name].limited or (fills and not after[name].endless)
        answer = Answer(holder=name, explains_bytes=grown[name], fills=fills)
        return _advised(answer, store, after[name])


def _together(
    grown: dict[str, float], sizes: dict[str, _Size], before: dict[str, _Size]
) -> tuple[dict[str, float], dict[str, _Size]]:
    """With what has several elements that grow in place of those: it grows by all of them, though
    it has no more of them.
    """
    among: dict[str, list[str]] = {}
    for name in grown.keys() & before.keys():
        parent = sizes[name].path.parent
        inside = parent is not None and parent.container and parent.expression in sizes
        if parent is not None and inside and parent.expression not in grown:
            among.setdefault(parent.expression, []).append(name)
    whole, told = dict(grown), dict(sizes)
    for outer, names in among.items():
        most = max(grown[name] for name in names)
        if sum(grown[name] >= _COUNTS * most for name in names) > 1:
            whole[outer] = sum(whole.pop(name) for name in names)
            told[outer] = replace(sizes[outer], count=sum(sizes[name].count for name in names))
    return whole, told


def _advised(answer: Answer, store: Store | None, size: _Size) -> Answer:
    """With what to change, and where."""
    change = bound(_kept(size.path), size.count, limited=size.limited)
    told = replace(answer, suggestion=change)
    if store is None:
        return told
    if store.how == "return":
        return at_cache(told, store, lambda cache: limit(cache, size.count))
    return at_line(told, store.file, store.line, store.code)


def _kept(path: Path) -> Kept:
    return Kept(path.expression, kinds=(path.container,))


def _is_cache(store: Store, path: Path) -> bool:
    """Whether it is one by the way it is made or filled, or one that throws out what is old."""
    if store.how == "return":
        return True
    throws = takes_out([store.file], path.name, attribute=path.attribute)
    return throws or is_guarded(store.file, store.line)


def _grew(now: _Size, before: _Size | None) -> bool:
    return before is None or now.count > before.count


class _Sizes(Found):
    """Every named container with what it weighs; the heavier of two of the same name."""

    def __init__(self) -> None:
        self._sizes: dict[str, _Size] = {}
        self.aliases: Aliases = {}

    def look(self) -> dict[str, _Size]:
        """What everything weighs now."""
        self.aliases = search(self, sys._getframe(1))  # noqa: SLF001
        return self._sizes

    def container(self, container: Collection[Any], path: Path) -> None:
        """Weighs one."""
        if path.index and (path.label or path.holder.index):
            return
        path = path.holder  # what lies behind a name without one of its own: a function's cache
        name, count = path.expression, size_of(container)
        weight = count * _mean_bytes(container)
        keyed = issubclass(type(container), dict)
        known = self._sizes.get(name)
        if known is None or weight > known.weight_bytes:
            endless = keyed and is_endless(container)
            limited = limit_of(container) is not None
            self._sizes[name] = _Size(count, weight, path, keyed, endless, limited)


def _mean_bytes(container: Collection[Any], sample: int = _SAMPLE, depth: int = _DEPTH) -> float:
    """What an element weighs on average, by a sample spread over the container."""
    weights = [_weight(item, depth) for item in _spread(container, sample)]
    return sum(weights) / len(weights) if weights else 0.0


def _spread(container: Collection[Any], count: int) -> Iterator[Any]:
    """Some of its elements, at no even steps: of what is put in by turns, some of each are met."""
    size, items, at = size_of(container), elements(container), 0
    if size <= count:
        yield from items
        return
    for number in range(count):
        place = max(int((number + _UNEVEN[number]) * size / count), at)
        yield from islice(items, place - at, place - at + 1)
        at = place + 1


def _weight(item: Any, depth: int) -> float:
    """Bytes behind one element, its own containers included."""
    if issubclass(type(item), torch.Tensor):
        return int(item.numel() * item.element_size())
    if type(item).__module__ == "numpy":
        return int(item.nbytes)
    if issubclass(type(item), list | tuple | dict) and depth:
        return sys.getsizeof(item, 0) + size_of(item) * _mean_bytes(item, _INNER, depth - 1)
    return sys.getsizeof(item, 0) + _weight_of_attributes(item, depth)


def _weight_of_attributes(item: Any, depth: int) -> float:
    """What an object of the program's own holds."""
    own = parts(item) if depth else []
    return sum(_weight(part, depth - 1) for part in own)
