"""Which container of the program grows, told by comparing two looks.

For memory that climbs though no graph explains it: lists of tensors, caches, arrays. Keeps
sizes and names between the looks, never what it saw.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import torch

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.letting_go import bound
from gradwatch_agent.diagnosis.stored import Aliases, store_of
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.naming.inside import elements, size_of
from gradwatch_agent.verdicts.case import Answer

_SAMPLE: Final = 64
"""Elements weighed to know what one weighs on average."""


_MOST: Final = 0.8
"""A container inside another that makes up this share of its growth is the better name."""


@dataclass(frozen=True, slots=True)
class _Size:
    count: int
    weight_bytes: float
    """An estimate: the count times what a sample of elements weighs on average."""
    path: Path


class Growth:
    """`look`, and later `answer`."""

    def __init__(self) -> None:
        self._first: dict[str, _Size] | None = None

    @property
    def looked(self) -> bool:
        """Whether there was a first look."""
        return self._first is not None

    def look(self) -> None:
        """The first look: what everything weighs now."""
        self._first = _Sizes().look()

    def answer(self) -> Answer:
        """The second look: what grew most since the first."""
        before, after = self._first or {}, (now := _Sizes()).look()
        grown = {
            name: size.weight_bytes - (before[name].weight_bytes if name in before else 0.0)
            for name, size in after.items()
            if name not in before or size.count > before[name].count
        }
        if not grown:
            return Answer()
        most = max(grown.values())
        names = [name for name, growth in grown.items() if growth >= _MOST * most]
        name = max(names, key=lambda name: (after[name].path.steps, grown[name]))
        path = after[name].path
        store = store_of(path, now.aliases)
        change = bound(Kept(name), after[name].count)
        if store is None:
            return Answer(holder=name, suggestion=change)
        return Answer(store.file, store.line, store.code, name, change)


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
        if path.index:
            return
        name, count = path.expression, size_of(container)
        weight = count * _mean_bytes(container)
        known = self._sizes.get(name)
        if known is None or weight > known.weight_bytes:
            self._sizes[name] = _Size(count, weight, path)


def _mean_bytes(container: Collection[Any]) -> float:
    """What an element weighs on average, by a sample spread over the container."""
    step = max(size_of(container) // _SAMPLE, 1)
    weights = [_weight(item, 2) for item in islice(elements(container), 0, None, step)]
    return sum(weights) / len(weights) if weights else 0.0


def _weight(item: Any, depth: int) -> int:
    """Bytes behind one element, its own small containers included."""
    if issubclass(type(item), torch.Tensor):
        return int(item.numel() * item.element_size())
    if type(item).__module__ == "numpy":
        return int(item.nbytes)
    if issubclass(type(item), list | tuple | dict) and depth:
        return sum(_weight(part, depth - 1) for part in islice(elements(item), _SAMPLE))
    return sys.getsizeof(item, 0)
