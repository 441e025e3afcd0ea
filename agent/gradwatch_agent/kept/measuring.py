"""What each name of the program keeps, as one look finds it: how much of what, and by what way.

Containers by their elements; tensors, arrays and files in memory by themselves; and what nobody put
into a container: the attributes an object was given one after another, hooks, a linked list's
elements. Keeps sizes and names, never what it saw.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, Literal

import torch

from gradwatch_agent.diagnosis.place.stored import Aliases
from gradwatch_agent.kept.bounds import are_lost, is_endless, limit_of
from gradwatch_agent.kept.weighing import Weight, of_elements, things_in
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.naming.caches import Cached
from gradwatch_agent.naming.containers import first, size_of
from gradwatch_agent.torch_seam import bytes_of

_NOTHING: Final = Weight(0.0, 0.0)


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


@dataclass(frozen=True, slots=True)
class Strewn(Size):
    """Of what lies behind one thing in no container, each piece by a way of its own."""

    how: Literal["attributes", "hooks", "links"]
    example: Path
    """The way to one of them."""


class Sizes(Found):
    """Made for one look."""

    def __init__(self) -> None:
        self._sizes: dict[str, Size] = {}
        """The heavier of two of the same name."""
        self._strewn: dict[str, Strewn] = {}
        self._counted: set[tuple[str, int]] = set()
        self.aliases: Aliases = {}

    def look(self) -> dict[str, Size]:
        """What everything weighs now, by what tells one thing from another at the next look."""
        self.aliases = search(self, sys._getframe(1))  # noqa: SLF001
        return {**self._sizes, **self._strewn}

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
        """Weighs it."""
        self._block(path, Weight(*bytes_of(tensor)), id(tensor))

    def block(self, size: int, path: Path) -> None:
        """So many bytes."""
        self._block(path, Weight(size, size), path.identity)

    def _block(self, path: Path, weight: Weight, identity: int) -> None:
        if not path.index and self._is_heavier(path, weight):
            self._sizes[path.expression] = Size(path, weight, things=int(weight.kept))
        if (strewn := _strewn(path)) is None:
            return
        whole, how = strewn
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
    )


def _strewn(path: Path) -> tuple[Path, Literal["attributes", "hooks", "links"]] | None:
    """What has the thing that the way leads to, if by no container, and how."""
    if (link := path.link) is not None:
        return link, "links"
    hooks = path if path.root.behind is None else path.root.behind
    if hooks.holder.name.endswith("_hooks"):
        return hooks.holder, "hooks"
    if path.label[:1] == "." and path.parent is not None:
        return path.parent, "attributes"
    return None
