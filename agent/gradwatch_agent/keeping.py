"""Whether graphs that outlived their iteration are kept, and rightly: what names lead to them.

Decides whether there is a fault; who it is and where is the diagnosis's. A search by names costs
as much as a garbage collection and proves as much: what a name leads to is no garbage.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import torch

from gradwatch_agent.bounds import ELSEWHERE, KEYS, is_cut, room_in, room_in_window, takes_out
from gradwatch_agent.diagnosis.stored import candidates, of_any_attribute
from gradwatch_agent.lineage import Lineage, sentinel_of
from gradwatch_agent.naming import Found, Path, own_files, search
from gradwatch_agent.naming.inside import elements, parts, size_of
from gradwatch_agent.naming.values import length
from gradwatch_agent.source.counting import counts
from gradwatch_agent.source.stores import Store
from gradwatch_agent.torch_seam import LEAF, Node, edges, graph_of, sequence_of
from gradwatch_agent.unspent import OLD, generations_of, grown, is_dead

_MOST_NODES: Final = 100_000
"""Nodes walked for marks below what names lead to; about 50 ms."""

_MOST_ELEMENTS: Final = 512
"""Elements of one container whose generations are compared: the newest."""

_DEPTH: Final = 3
"""Steps from an element to its tensor."""

_SOME: Final = 3
"""Iterations in which a graph has grown that make it worth another look."""

_TRAINED: Final = 8
"""Changes of a leaf, between two looks at a graph, that are training."""

_LISTS: Final = (list, set)


@dataclass(frozen=True, slots=True)
class Kept:
    """What the program's names lead to."""

    spent: int = 0
    """Earlier iterations of which a name leads to graphs that a backward has freed."""
    retained: int = 0
    """The same for graphs that a backward has retained."""
    living: int = 0
    """Earlier iterations of which a name leads to a graph."""
    room: int = 0
    """How many may rightly come to be where most of them are."""
    dead: int = 0
    """Of how many iterations one name keeps graphs that no backward can use any more, though none
    has freed them."""
    dead_room: int = 0
    """How many may rightly come to be there."""


@dataclass(frozen=True, slots=True)
class _Store:
    """The container by which a name holds graphs of several iterations."""

    count: int
    room: int


def look(lineage: Lineage, sizes: dict[str, int]) -> Kept:
    """What is kept at an iteration's end. `sizes`: of containers and of what leaves went through,
    from one look to the next.
    """
    found = _Look(lineage, sizes)
    search(found, sys._getframe())  # noqa: SLF001
    return found.kept()


class _Look(Found):
    """One search. Keeps nodes until it is over."""

    def __init__(self, lineage: Lineage, sizes: dict[str, int]) -> None:
        self._lineage = lineage
        self._sizes = sizes
        self._seen: dict[Node, bool] = {}
        """Whether a spent graph lies below."""
        self._spent: set[int] = set()
        self._retained: set[int] = set()
        self._living: set[int] = set()
        self._by_name: Counter[str] = Counter()
        """How many of those were first met by which name."""
        self._by_owner: Counter[str] = Counter()
        """The same by the object whose attributes the names are."""
        self._owned: dict[str, Path] = {}
        """One of those names, by the object."""
        self._by_link: Counter[str] = Counter()
        """The same by the attribute that leads from one object to the next."""
        self._dead: dict[str, set[int]] = {}
        self._unreached: dict[str, tuple[set[int], int]] = {}
        """Iterations of graphs that no backward has reached, and changes of their leaves."""
        self._stores: dict[str, _Store] = {}

    def node(self, node: Node, path: Path) -> None:
        """A name leads to it."""
        if node in self._seen:
            return
        if (generation := self._generation(node)) < self._lineage.current:
            self._living.add(generation)
        name, known = _name(path), len(self._spent) + len(self._retained)
        waiting, spent = self._below(node)
        new = len(self._spent) + len(self._retained) - known
        self._by_name[name] += new
        if path.attribute and path.parent is not None:
            self._by_owner[path.parent.expression] += new
            self._owned[path.parent.expression] = path
        if (link := path.link) is not None:
            self._by_link[link.name] += new
        if is_dead(node):
            dead = self._dead.setdefault(name, set())
            dead |= waiting if spent else waiting | generations_of(node, self._lineage)
        elif not waiting and not spent:
            self._untrodden(name, *grown(node, self._lineage))

    def _untrodden(self, name: str, generations: set[int], changes: int) -> None:
        """A graph that no backward has reached, and how often its leaves were changed by now."""
        self._living |= generations - {self._lineage.current}
        known, most = self._unreached.get(name, (set(), 0))
        self._unreached[name] = known | generations, max(changes, most)

    def _give_up(self) -> None:
        """What nobody has reached is dead, if since an earlier look its leaves were trained.

        An episode's sum waits for the actor's backward as well; but the actor waits with it.
        """
        for name, (generations, changes) in self._unreached.items():
            if len(generations) < _SOME:
                continue
            before = self._sizes.setdefault(f"{name} since {min(generations)}", changes)
            if len(generations) >= OLD and changes >= before + _TRAINED:
                self._dead.setdefault(name, set()).update(generations)

    def _generation(self, node: Node) -> int:
        return self._lineage.generation_of(sequence_of(node))

    def _below(self, root: Node) -> tuple[set[int], bool]:
        """The earlier generations whose retained graphs lie below, and whether spent ones do.

        Each node is looked at once.
        """
        retained, spent = set(), False
        met: list[Node] = []
        waiting = [root]
        while waiting and len(self._seen) < _MOST_NODES:
            node = waiting.pop()
            if sequence_of(node) >= LEAF:
                continue
            if node in self._seen:
                spent = spent or self._seen[node]
                continue
            self._seen[node] = False
            met.append(node)
            mark = sentinel_of(node)
            if mark is not None and mark.generation < self._lineage.current:
                (self._spent if mark.spent else self._retained).add(mark.generation)
                if not mark.spent:
                    retained.add(mark.generation)
            spent = spent or (mark is not None and mark.spent)
            waiting.extend(edges(node))
        if spent:
            self._seen.update(dict.fromkeys(met, True))
        return retained, spent

    def container(self, container: Collection[Any], path: Path) -> None:
        """A name leads to it; remembers the one that holds graphs of most iterations."""
        places, direct = [], 0
        first = max(size_of(container) - _MOST_ELEMENTS, 0)
        for place, item in islice(enumerate(elements(container)), first, None):
            generations = [self._lineage.generation_of(n) for n in _numbers(item, _DEPTH)]
            if generations:
                places.append((place, max(generations)))
                direct += not issubclass(type(item), _LISTS)
        count = len({generation for _, generation in places})
        known = self._stores.get(_name(path))
        if count > 1 and (known is None or count > known.count):
            room = self._room_in(container, path, places) if direct else 0
            self._stores[_name(path)] = _Store(count, room)

    def _room_in(
        self, container: Collection[Any], path: Path, places: list[tuple[int, int]]
    ) -> int:
        size, name = size_of(container), path.expression
        room = room_in(container, places, grows=size > self._sizes.get(name, size))
        self._sizes[name] = size
        stored = candidates(path) if path.attribute or room == KEYS else []
        if room == KEYS and _count(stored) > KEYS:
            room = 0
        # Of an attribute, where it is stored into: elsewhere the same name is another thing's.
        files = sorted({path.file, *(store.file for store in stored if path.attribute)})
        if takes_out(files, path.name, attribute=path.attribute):
            count = len({generation for _, generation in places})
            room = max(room, room_in_window(size, count))
        return room

    def kept(self) -> Kept:
        """All that was found."""
        self._give_up()
        name, most = next(iter(self._by_name.most_common(1)), ("", 0))
        spent, retained = len(self._spent), len(self._retained)
        room = self._room(name, most)
        if 2 * most < spent + retained:
            room = self._room_of_many(spent + retained)
        dead = [(len(found), self._room(name, len(found))) for name, found in self._dead.items()]
        return Kept(
            spent, retained, len(self._living), room, *max(dead, key=_excess, default=(0, 0))
        )

    def _room_of_many(self, count: int) -> int:
        """How many may come to be behind many names, which now lead to so many."""
        for link, linked in self._by_link.items():
            if 2 * linked >= count and not is_cut(own_files(), link):
                return 0
        owner, owned = max(self._by_owner.items(), key=lambda each: each[1], default=("", 0))
        if 2 * owned < count:
            return ELSEWHERE
        return KEYS if _count(of_any_attribute(self._owned[owner])) <= KEYS else 0

    def _room(self, name: str, count: int) -> int:
        """How many may come to be behind the name, which now leads to so many."""
        store = self._stores.get(name)
        return store.room if store is not None and 2 * store.count >= count else 0


def _count(stored: list[Store]) -> float:
    """How many keys the statements come to use, one after the other; 0 where that is not known."""
    files = own_files()
    return max((counts(store, files, length) for store in stored), default=0)


def _excess(dead: tuple[int, int]) -> int:
    count, room = dead
    return count - room


def _name(path: Path) -> str:
    """The container rather than one of its elements."""
    return path.expression.partition("[")[0]


def _numbers(item: Any, depth: int) -> Iterator[int]:
    """Of the nodes of the tensors in it; no code of its class runs."""
    kind = type(item)
    if issubclass(kind, torch.Tensor):
        node = graph_of(item)
        if node is not None:
            yield sequence_of(node)
    elif not depth:
        return
    elif issubclass(kind, list | tuple | dict):
        for part in islice(elements(item), 0, 16):
            yield from _numbers(part, depth - 1)
    else:
        for part in islice(parts(item), 0, 16):
            yield from _numbers(part, depth - 1)
