"""The containers by which one name holds graphs, and how many of these may come to lie there.

Owns what several of them come to together; the room of each is `capacity`'s. Must not know which
of those graphs are of any use.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.kept.bounds import ELSEWHERE
from gradwatch_agent.kept.capacity import capacity
from gradwatch_agent.kept.placing import LISTS, placed
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.containers import size_of

_MOST: Final = 64
"""Containers behind one name that are looked at."""


@dataclass(frozen=True, slots=True)
class Store:
    """A container that holds graphs of several iterations."""

    name: str
    """The expression that leads to it."""
    count: int
    """Of the iterations."""
    places: int
    """Of its elements that hold some."""
    room: int
    keyed: bool
    """Whether what it holds is replaced key by key."""
    sure: bool
    """Whether the room is what it was made with, not what such stores may need."""
    nested: bool
    """Whether it holds them by lists, which have rooms of their own: its own is for so many."""
    span: tuple[int, int]
    """The oldest of what is newest in its elements, and the newest."""
    sheds: bool
    """Whether the program takes something out of it."""
    grows: bool
    """Whether it has more elements than at the look before."""

    def has_most(self, count: int) -> bool:
        """Of so many graphs. Those that other threads built are not told apart by their numbers:
        there are no more than its places, whose room is known.
        """
        return 2 * self.count >= count or (self.sure and self.places >= count)


class Behind:
    """Of one search. `sizes`: of containers, from one search to the next."""

    def __init__(self, name: str, sizes: dict[str, int]) -> None:
        self._name = name
        self._sizes = sizes
        self._stores: list[Store] = []
        """The largest first."""
        self._more: bool | None = None
        """Whether there are more containers than at the look before; once that was asked."""

    def take(self, container: Collection[Any], path: Path, lineage: Lineage) -> None:
        """One of them, if it holds graphs of several iterations, or is a list among such; no row of
        a table, which has as much as it was made of.
        """
        if path.index and issubclass(type(container), tuple):
            return
        places, direct = placed(container, lineage)
        count = len({generation for _, generation in places})
        within = issubclass(type(container), LISTS) and any(store.nested for store in self._stores)
        several = len(places) > 1 or (places and within)
        if not several or (len(self._stores) >= _MOST and count <= self._stores[0].count):
            return
        size, name = size_of(container), path.expression
        grows = size > self._sizes.get(name, size)
        self._sizes[name] = size
        most = capacity(container, path, places, self._sizes, grows=grows, nested=not direct)
        keyed = issubclass(type(container), dict)
        newest = [generation for _, generation in places]
        span = (min(newest), max(newest))
        of_it = (most.room, keyed, most.sure, not direct, span, most.sheds, grows)
        self._stores.append(Store(name, count, len(places), *of_it))
        self._stores.sort(key=lambda store: -store.count)

    @property
    def largest(self) -> Store | None:
        """The one that holds most."""
        return next(iter(self._stores), None)

    @property
    def has_grown(self) -> bool:
        """Whether one has more elements than at the look before."""
        return any(store.grows for store in self._stores)

    def room(self, count: int) -> int:
        """How many may come to be in them, which now hold most of so many."""
        store = self._stores[0]
        if self._are_ever_more():
            return 0
        if not store.has_most(count):
            return self._of_several(count)
        _, stores = self._parted()
        if store.nested and not store.sure:  # so many lists: what each of them has, if it has some
            held = sum(each.count for each in stores if each.room)
            return _together(stores) if held >= store.count else 0
        return store.room and max(store.room, _together(stores))

    def _are_ever_more(self) -> bool:
        """Whether what lies there are lists, and of these ever more come to be: as is known, or as
        each of them was filled before the next was begun.
        """
        wholes, lists = self._parted()
        spans = sorted(store.span for store in lists)
        apart = all(one[1] < other[0] for one, other in pairwise(spans)) and len(spans) > 1
        more = self._are_more() or any(store.count > 1 for store in lists)
        return any(not each.room or (each.keyed and apart and more) for each in wholes)

    def _parted(self) -> tuple[list[Store], list[Store]]:
        """Those of lists, and all others."""
        stores = self._stores
        return [each for each in stores if each.nested], [
            each for each in stores if not each.nested
        ]

    def _are_more(self) -> bool:
        """Whether there are more of the others than at the look before."""
        if self._more is None:
            count, key = len(self._parted()[1]), f"{self._name}: containers"
            self._more = count > self._sizes.get(key, count)
            self._sizes[key] = count
        return self._more

    def _leads_on(self, store: Store) -> bool:
        """Whether others lie within what it holds: a tree's branches."""
        return any(each.name.startswith(f"{store.name}[") for each in self._stores)

    def _of_several(self, count: int) -> int:
        """The same where several containers hold some each, as each of a population has its window;
        not where there are more of them than there were, and may be for ever: none of them lies in
        one that lets go of what it holds, or holds so many, as is known.
        """
        wholes, stores = self._parted()
        endless = sum(store.count for store in stores if not store.room)
        held = sum(store.count for store in stores if store.room)
        lets_go = (
            each for each in self._stores if (each.sheds or each.sure) and self._leads_on(each)
        )
        around = (*wholes, *lets_go)
        more = self._are_more() and not any(0 < each.count <= each.room for each in around)
        if more or 2 * endless >= count or 2 * held < count:
            return 0
        return _together(stores)


def _together(stores: list[Store]) -> int:
    """The rooms of all; of those that are guessed no more than anyone keeps."""
    sure = sum(store.room for store in stores if store.sure)
    return sure + min(ELSEWHERE, sum(store.room for store in stores if not store.sure))
