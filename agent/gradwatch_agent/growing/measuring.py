"""What each name of the program keeps, as one look finds it: how much of what, and by what way.

Containers by their elements; tensors, arrays and files in memory by themselves; and what nobody put
into a container: the attributes an object was given one after another, hooks, a linked list's
elements. Keeps sizes and names, never what it saw.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import torch

from gradwatch_agent.diagnosis.place.stored import Aliases
from gradwatch_agent.growing.weighing import Weight, of_elements, things_in
from gradwatch_agent.kept.bounds import are_lost, is_endless, limit_of
from gradwatch_agent.naming import ON_A_TENSOR, Found, Path, search
from gradwatch_agent.naming.caches import Cached
from gradwatch_agent.naming.containers import elements, first, size_of
from gradwatch_agent.naming.lookups import linked_at
from gradwatch_agent.naming.walk import MOST_LINKS
from gradwatch_agent.torch_seam import bytes_of

_MODULE: Final = "Module"
"""The class of torch's whose attributes may be such themselves."""

_NEWEST: Final = 64
"""Records that are weighed."""

_NOTHING: Final = Weight(0.0, 0.0)


How: TypeAlias = Literal["attributes", "parts", "hooks", "links"]
"""Where what lies in no container lies; the parts are a module's, all that is below it."""


@dataclass(frozen=True, slots=True)
class Size:
    """Of what a name leads to; as such, of a block of memory: a tensor, an array, a file in it."""

    path: Path
    weight: Weight
    """An estimate, of all together."""
    things: int
    """Of what it has more when it grows: of a block its bytes, else as many as there are, with
    those in the containers among them.
    """


@dataclass(frozen=True, slots=True)
class Filled(Size):
    """Of a container."""

    count: int
    keyed: bool
    """A dict: it may be a cache, which is full when all that there is has been asked for."""
    endless: bool
    """One that is not: hardly any of its keys comes twice."""
    lost: bool
    """None can, for nobody has them any more."""
    limited: bool
    """It is made to hold so many and no more."""
    tensors: bool
    """What it holds are tensors themselves."""
    logged: tuple[str, int] | None = None
    """Where the heaviest of the newest was logged, where it holds what was: by file and line."""


@dataclass(frozen=True, slots=True)
class Strewn(Size):
    """Of what lies behind one thing in no container, each piece by a way of its own."""

    how: How
    example: Path
    """The way to one of them."""


class Sizes(Found):
    """Made for one look."""

    def __init__(self) -> None:
        self._sizes: dict[str, Size] = {}
        """The heavier of two of the same name."""
        self._strewn: dict[str, Strewn] = {}
        self._counted: set[tuple[str, int]] = set()
        self._around: dict[Path, list[tuple[Path, How]]] = {}
        """What has all that lies in a container, by the way to that."""
        self.aliases: Aliases = {}

    def look(self) -> dict[str, Size]:
        """What everything weighs now, by what tells one thing from another at the next look."""
        self.aliases = search(self, sys._getframe(1))  # noqa: SLF001
        strewn = {name: _to_its_end(size) for name, size in self._strewn.items()}
        return {**self._sizes, **strewn}

    def container(self, container: Collection[Any], path: Path) -> None:
        """Weighs its elements."""
        if path.index and not path.field and (path.label or path.holder.index):
            return
        if isinstance(container, Cached):
            return  # its dict is met, too
        if not path.field:
            path = path.holder  # what has no name of its own: a function's cache
        weight = of_elements(container)
        if self._is_heavier(path, weight):
            self._sizes[path.expression] = _filled(container, path, weight)

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:
        """Weighs it; not each element of a container, nor what comes and goes with a backward."""
        if path.label == ".grad":
            return
        strewn = self._of(path)
        if strewn or not path.index:
            self._block(path, Weight(*bytes_of(tensor)), id(tensor), strewn)

    def block(self, size: int, path: Path) -> None:
        """So many bytes."""
        self._block(path, Weight(size, size), path.identity, self._of(path))

    def _of(self, path: Path) -> list[tuple[Path, How]]:
        """What has it; the same has its like in one container."""
        if not path.index or path.parent is None:
            return list(_strewn(path))
        if path.parent not in self._around:
            self._around[path.parent] = list(_strewn(path))
        return self._around[path.parent]

    def _block(
        self, path: Path, weight: Weight, identity: int, strewn: list[tuple[Path, How]]
    ) -> None:
        if not path.index and self._is_heavier(path, weight):
            self._sizes[path.expression] = Size(path, weight, things=int(weight.kept))
        for whole, how in strewn:
            self._lies_in(whole, how, path, weight, identity)

    def _lies_in(self, whole: Path, how: How, path: Path, weight: Weight, identity: int) -> None:
        key = f"{how} of {whole.expression}"
        if (key, identity) in self._counted:
            return
        self._counted.add((key, identity))
        known = self._strewn.get(key)
        things, other = (known.things, known.weight) if known is not None else (0, _NOTHING)
        self._strewn[key] = Strewn(whole, weight.and_(other), things + 1, how, path)

    def _is_heavier(self, path: Path, weight: Weight) -> bool:
        known = self._sizes.get(path.expression)
        return known is None or weight.kept > known.weight.kept


def _filled(container: Collection[Any], path: Path, weight: Weight) -> Filled:
    keyed = issubclass(type(container), dict)
    return Filled(
        path,
        weight,
        things_in(container),
        size_of(container),
        keyed=keyed,
        endless=keyed and is_endless(container),
        lost=keyed and are_lost(container),
        limited=limit_of(container) is not None,
        tensors=issubclass(type(first(container)), torch.Tensor),
        logged=_logged(container),
    )


def _logged(container: Collection[Any]) -> tuple[str, int] | None:
    """As each record of the standard library's tells."""
    if type(first(container)) is not logging.LogRecord:
        return None
    newest = elements(container)[-_NEWEST:]
    record = max(newest, key=lambda each: of_elements([each]).kept)
    known = type(record) is logging.LogRecord and record.lineno > 0
    return (record.pathname, record.lineno) if known else None


def _to_its_end(size: Strewn) -> Strewn:
    """Of a linked list of which the beginning alone was met, the whole."""
    factor = linked_at(size.path) / (MOST_LINKS - 1) if size.how == "links" else 0.0
    if factor <= 1:
        return size
    return replace(size, things=int(size.things * factor), weight=size.weight.times(factor))


def _strewn(path: Path) -> Iterator[tuple[Path, How]]:
    """What has the thing that the way leads to, if by no container, and how."""
    if path.links and (link := path.link) is not None:
        yield link, "links"
        return
    way = path if path.root.behind is None else path.root.behind
    hooks = next((step for step in way.back() if step.label.endswith("_hooks")), None)
    if hooks is not None or way.via == ON_A_TENSOR:
        yield hooks or way.holder, "hooks"
        return
    if path.label[:1] == "." and path.parent is not None and _MODULE not in path.owners:
        yield path.parent, "attributes"
    for step in path.back():
        if step.parent is not None and step.attribute and not step.index and _MODULE in step.owners:
            yield step.parent, "parts"
