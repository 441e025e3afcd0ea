"""How many iterations' graphs may rightly come to lie where a name leads.

Owns what is known of the containers by which names hold graphs. Must not know which of those
graphs are of any use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, Final

from gradwatch_agent.diagnosis.lasting.variables import is_given_anew
from gradwatch_agent.diagnosis.place.stored import candidates, of_any_attribute
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.kept.behind import Behind, Store
from gradwatch_agent.kept.bounds import ELSEWHERE, EMPTIED, KEYS, bounded, is_cut
from gradwatch_agent.kept.capacity import keys_of
from gradwatch_agent.kept.emptied import is_emptied
from gradwatch_agent.kept.endless import is_endless
from gradwatch_agent.kept.renewed import of_an_epoch, of_an_interval, renewed_after
from gradwatch_agent.kept.replaced import is_replaced
from gradwatch_agent.kept.sizes import most_in
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.caches import Cached
from gradwatch_agent.naming.containers import CONTAINERS
from gradwatch_agent.naming.lookups import value_at

_FEW: Final = 3
"""What the loop's own variables hold."""

_SOME: Final = 2
"""Graphs by one name, of which it may be told whether ever more will come."""

_WAYS: Final = 4
"""Other containers of one thing that are asked about."""

_RENEWED: Final = 2
"""Of what takes the place of the like: both may be there, until it is done."""

_CHAINED: Final = 3
"""Spent graphs behind one tensor that make it a sum: what takes its place will have more."""


class Rooms:
    """Of one search. `sizes`: of containers, from one search to the next."""

    def __init__(self, lineage: Lineage, sizes: dict[str, int]) -> None:
        self._lineage = lineage
        self._sizes = sizes
        self._behind: dict[str, Behind] = {}
        """The containers by which each name holds graphs of several iterations."""
        self._by_name: Counter[str] = Counter()
        """How many graphs were first met by which name."""
        self._ways: dict[str, Path] = {}
        """One of the ways to them, by the name."""
        self._elsewhere: dict[int, list[Path]] = {}
        """Other containers that have what a way leads over, by its identity."""
        self._gathered = 0
        """How many by tensors that were worked out of what had been gathered: a window's mean."""
        self._chained: set[str] = set()
        """Names by which a tensor is kept that adds up those it took the place of."""
        self._apart: Counter[str] = Counter()
        """How many of them beside the elements of what has room for so many."""
        self._by_way: dict[str, int] = {}
        """How many by the way to most of those behind a name."""
        self._by_owner: Counter[str] = Counter()
        """The same by the object whose attributes the names are."""
        self._owned: dict[str, Path] = {}
        """One of those names, by the object."""
        self._by_link: Counter[str] = Counter()
        """The same by the attribute that leads from one object to the next."""

    def met(self, path: Path, new: int, *, gathered: bool) -> None:
        """So many graphs were first met by that name; `gathered`: by what was worked out of all of
        them at once. Of what takes its place the same is true: it will not have more than those
        from whom it has them, if they are still there.
        """
        if gathered:
            self._gathered += new
            return
        name = name_of(path)
        self._by_name[name] += new
        if not (path.index and self.is_limited_by(name)):
            self._apart[name] += new
        if new > self._by_way.get(name, -1):
            self._ways[name], self._by_way[name] = path, new
        if new > _CHAINED:
            self._chained.add(name)
        if path.attribute and path.parent is not None:
            self._by_owner[path.parent.expression] += new
            self._owned[path.parent.expression] = path
        if (link := path.link) is not None:
            self._by_link[link.name] += new

    def container(self, container: Collection[Any], path: Path) -> None:
        """A name leads to it. Remembers what holds graphs of several iterations."""
        if isinstance(container, Cached) and (
            container.most is None or not bounded(container.most)
        ):
            return  # a cache without a bound, or as good as: its dict tells more
        name = name_of(path)
        behind = self._behind.setdefault(name, Behind(name, self._sizes))
        behind.take(container, path, self._lineage)

    def again(self, first: Path, path: Path) -> None:
        """What the first way leads to is an element of another container, too."""
        others = self._elsewhere.setdefault(first.identity, [])
        if len(others) < _WAYS:
            others.append(path)

    def room(self, count: int) -> int:
        """How many may come to be where most of so many are."""
        name, most = self._most()
        whole = count - self._gathered
        if whole <= _FEW < self._gathered:  # what it was gathered from is gone, or begins anew
            return 2 * self._gathered
        if 2 * most < whole:
            room = self._of_many(whole)
        elif room := self.room_of(name, most):  # and what lies elsewhere has its own
            others = ((each, held) for each, held in self._by_name.items() if held and each != name)
            room += sum(self.room_of(each, held) for each, held in others)
        return room and room + self._gathered

    def is_sure(self, count: int) -> bool:
        """Whether the room where most of so many are is known and not guessed."""
        name, most = self._most()
        return 2 * most >= count - self._gathered and self.is_sure_of(name, most)

    def are_endless(self, count: int) -> bool:
        """Whether most of so many lie where ever more will lie, as is known."""
        name, most = self._most()
        return max(_SOME, count / 2) <= most and self.is_endless(name)

    def is_endless(self, name: str) -> bool:
        """Whether ever more will lie behind the name, as is known."""
        return name in self._ways and any(map(is_endless, self._ways_of(self._ways[name])))

    def _ways_of(self, way: Path) -> Iterator[Path]:
        """The way, and those to the same by the containers that things on it lie in: a call's own
        `self.losses` is `workers[2].losses`.
        """
        yield way
        for step in way.back():
            for other in self._elsewhere.get(step.identity, ()):
                yield way.by_way_of(step, other)

    def _most(self) -> tuple[str, int]:
        """The name by which most were first met, or the lasting one of the same; and how many."""
        name, most = next(iter(self._by_name.most_common(1)), ("", 0))
        lasting = self._lasting(name)
        drawn = lasting != name and not self.room_of(name, most)
        return lasting if drawn else name, most

    def _lasting(self, name: str) -> str:
        """The name of another container that has the same things, where each round gives this one
        anew: some that it has drawn.
        """
        way = self._ways.get(name)
        if way is None or not _is_given_anew(way.root):
            return name
        others = (other for step in way.back() for other in self._elsewhere.get(step.identity, ()))
        return next((name_of(each) for each in others if not _is_given_anew(each.root)), name)

    def is_limited(self, path: Path) -> bool:
        """Whether it is an element of a container that has room for so many, as is known."""
        return self.is_limited_by(name_of(path))

    def is_limited_by(self, name: str) -> bool:
        """Whether what holds most of those behind the name has room for so many, as is known."""
        store = self._largest(name)
        return store is not None and store.sure and store.room > 0

    def is_sure_of(self, name: str, count: int) -> bool:
        """Whether the room behind the name, which leads to so many, is known and not guessed."""
        store = self._largest(name)
        return store is not None and store.sure and store.has_most(count)

    def _largest(self, name: str) -> Store | None:
        return self._behind[name].largest if name in self._behind else None

    def room_of(self, name: str, count: int) -> int:
        """How many may come to be behind the name, which now leads to so many."""
        room = self._as_it_looks(name, count)
        apart = 2 * self._apart[name] > count
        guessed = room > 0 and (apart or not self.is_limited_by(name))
        return 0 if guessed and self.is_endless(name) else room

    def _as_it_looks(self, name: str, count: int) -> int:
        """The same by what is seen of the containers behind it."""
        store = self._largest(name)
        if store is None or (store.keyed and name in self._chained):
            return self._by_its_bound(name)
        if self._goes_as_a_whole(name):
            return of_an_epoch(_RENEWED * count)
        return self._behind[name].room(count)

    def _goes_as_a_whole(self, name: str) -> bool:
        """Whether another takes the place of all that lies there, and nothing in it has grown."""
        way = self._ways.get(name)
        return way is not None and not self._behind[name].has_grown and is_replaced(way)

    def _by_its_bound(self, name: str) -> int:
        """The same where they are not seen in a container: it is a sum, or functions keep them."""
        if (way := self._ways.get(name)) is None:
            return 0
        rounds, whole = renewed_after(way.collection or way), way.collection
        container: Any = value_at(whole) if whole is not None else None
        sums = name in self._chained
        if sums or not whole or not issubclass(type(container), CONTAINERS):
            return of_an_interval(rounds) if rounds is not None else 0
        if rounds is not None and (room := of_an_epoch(rounds)):
            return room
        most = most_in(container, whole, candidates(whole), own_files())
        if most is not None:
            return bounded(most)
        return EMPTIED if is_emptied(container, whole) else 0

    def _of_many(self, count: int) -> int:
        """How many may come to be behind many names, which now lead to so many."""
        for link, linked in self._by_link.items():
            if 2 * linked >= count and not is_cut(own_files(), link):
                return 0
        owner, owned = max(self._by_owner.items(), key=lambda each: each[1], default=("", 0))
        if 2 * owned < count:
            return ELSEWHERE
        return KEYS if keys_of(of_any_attribute(self._owned[owner])) <= KEYS else 0


def _is_given_anew(root: Path) -> bool:
    return not root.attribute and is_given_anew(root, candidates(root))


def name_of(path: Path) -> str:
    """The container rather than one of its elements; of functions' own variables, the container
    that the functions lie in.
    """
    function = path.root.behind
    if function is not None and function.collection is not None:
        return name_of(function)
    return path.expression.partition("[")[0]
