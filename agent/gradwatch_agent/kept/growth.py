"""Which container of the program grows, told by comparing two looks.

For memory that climbs though no graph explains it: lists of tensors, caches, arrays. Keeps
sizes and names between the looks, never what it saw.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final

import torch

from gradwatch_agent.advice.caching import ask_by_value, limit
from gradwatch_agent.advice.copies import store_copies
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.letting_go import bound, let_go_early
from gradwatch_agent.diagnosis.place.at_line import at_cache, at_line
from gradwatch_agent.diagnosis.place.stored import Aliases, is_of_others, spoken, store_of
from gradwatch_agent.kept.bounds import are_lost, is_endless, limit_of
from gradwatch_agent.kept.guards import is_guarded
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.kept.weighing import Weight, of_elements, things_in
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.naming.caches import Cached
from gradwatch_agent.naming.containers import first, size_of
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.verdicts.case import Answer

_MOST: Final = 0.8
"""A container inside another that makes up this share of its growth is the better name."""

_COUNTS: Final = 0.1
"""Of several elements that grow, one that grows by this share of the most counts."""

_VIEWS: Final = 2
"""What keeps so many times as much as it shows are views."""


@dataclass(frozen=True, slots=True)
class _Size:
    count: int
    things: int
    """As many as that, and those in the containers among them."""
    weight: Weight
    """An estimate, of all elements together."""
    path: Path
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
            name: size.weight.kept - (before[name].weight.kept if name in before else 0.0)
            for name, size in after.items()
            if later is not None and _grew(size, before.get(name)) and _grew(size, later.get(name))
        }
        most = max(grown.values(), default=0.0)
        if most <= 0:  # none, or their elements have become lighter
            return Answer(explains_bytes=0.0)
        names = [name for name, growth in grown.items() if growth >= _MOST * most]
        name = max(names, key=lambda name: (after[name].path.steps, grown[name]))
        name = _all_of(name, grown, after)
        size = after[name]
        path, store = _grown_by(size.path, now.aliases)
        if name in before and before[name].count == size.count:  # what lies in it grows
            size = replace(size, count=size.things)
        fills = _fills(store, size)
        answer = Answer(holder=spoken(path), explains_bytes=grown[name], fills=fills)
        return _advised(answer, path, store, size)


def _all_of(name: str, grown: dict[str, float], sizes: dict[str, _Size]) -> str:
    """What has it and others that grow; the same name where it is the only one."""
    outers = {each: path.expression for each in grown if (path := sizes[each].path.parent)}
    outer = outers.get(name, "")
    beside = [growth for each, growth in grown.items() if outers.get(each) == outer]
    counts = sum(growth >= _COUNTS * grown[name] for growth in beside)
    return outer if outer in grown and counts > 1 else name


def _grown_by(path: Path, aliases: Aliases) -> tuple[Path, Store | None]:
    """What makes it grow, and what that puts things into: what another's class keeps to itself, as
    an `ExitStack` what it leaves, grows by calls of its object.
    """
    store = store_of(path, aliases, graphs=path.container == "tee")
    if store is not None or path.parent is None or not is_of_others(path):
        return path, store
    given = store_of(path.parent, aliases, graphs=False)
    given = given if given is not None and given.certain else None
    return path.parent if given is not None or path.name[:1] == "_" else path, given


def _advised(answer: Answer, path: Path, store: Store | None, size: _Size) -> Answer:
    """With what to change, and where."""
    told = replace(answer, suggestion=_change(path, store, size))
    if store is None:
        return told
    if store.how == "return":
        change = told.suggestion if size.lost else None
        return at_cache(told, store, lambda cache: change or limit(cache, size.count))
    return at_line(told, store.file, store.line, store.code)


def _change(path: Path, store: Store | None, size: _Size) -> str:
    kept, weight = _kept(size), size.weight
    if size.lost:
        return ask_by_value(kept, size.count)
    if weight.kept >= _VIEWS * weight.shown:
        return store_copies(kept, store, weight.shown / size.count, weight.kept / size.count)
    if path is not size.path and not size.limited:
        return let_go_early(spoken(path), size.count)
    return bound(kept, size.count, limited=size.limited)


def _kept(size: _Size) -> Kept:
    labels = ("[0]",) if size.tensors else ()
    return Kept(spoken(size.path), kinds=(size.path.kind,), labels=labels)


def _fills(store: Store | None, size: _Size) -> bool:
    """Whether it ends some time: it is made to hold so many, throws out what is old, or is a cache
    by the way it is made or filled, and what it is asked for comes again.
    """
    path = size.path
    if size.limited:
        return True
    if store is None:
        return size.keyed and not size.endless
    if takes_out([store.file], path.name, attribute=path.attribute):
        return True
    is_cache = store.how == "return" or is_guarded(store.file, store.line)
    return is_cache and not size.endless


def _grew(now: _Size, before: _Size | None) -> bool:
    return before is None or now.things > before.things


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
        if isinstance(container, Cached):
            return  # its dict is met, too
        path = path.holder  # what lies behind a name without one of its own: a function's cache
        name, count = path.expression, size_of(container)
        weight = of_elements(container)
        keyed = issubclass(type(container), dict)
        known = self._sizes.get(name)
        if known is None or weight.kept > known.weight.kept:
            endless, lost = (keyed and asks(container) for asks in (is_endless, are_lost))
            limited = limit_of(container) is not None
            things = things_in(container)
            tensors = issubclass(type(first(container)), torch.Tensor)
            self._sizes[name] = _Size(
                count, things, weight, path, keyed, endless, lost, limited, tensors
            )
