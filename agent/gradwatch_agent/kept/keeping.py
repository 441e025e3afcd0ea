"""Whether graphs that outlived their iteration are kept, and rightly: what names lead to them.

Decides whether there is a fault; who it is and where is the diagnosis's. A search by names costs
as much as a garbage collection and proves as much: what a name leads to is no garbage.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.sentinels import sentinel_of
from gradwatch_agent.kept.bounds import ELSEWHERE
from gradwatch_agent.kept.rooms import Rooms, name_of
from gradwatch_agent.kept.unspent import OLD, generations_of, grown, is_dead
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of

_MOST_NODES: Final = 100_000
"""Nodes walked for marks below what names lead to; about 50 ms."""

_GATHERED: Final = 4
"""Iterations of which something is worked out at once that make it a window's mean."""

_MOST_GATHERING: Final = 256
"""Nodes that are looked at for that."""

_FEW: Final = 2
"""Iterations in which a graph has grown that make it worth another look."""

_SOME: Final = 3
"""Changes of a leaf that make a hint of it."""

_ENOUGH: Final = 8
"""Graphs that nobody has come back to which make a collection."""

_TRAINED: Final = 8
"""Changes of a leaf, between two looks at a graph, that are training."""

_AGAIN: Final = 2
"""The same where what keeps the graph is known to grow without end."""


@dataclass(frozen=True, slots=True)
class Dead:
    """Graphs that no backward can use any more, though none has freed them, by one name."""

    count: int = 0
    """The iterations of which there are some."""
    room: int = 0
    """How many may rightly come to be there."""
    sure: bool = False
    """Whether that is known, and not guessed."""
    since: int = 0
    """The first of those iterations."""
    early: bool = False
    """Whether somebody may yet come back to them."""
    endless: bool = False
    """Whether they lie where ever more will come to be, as is known."""


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
    sure: bool = False
    """Whether that is known, and not guessed."""
    endless: bool = False
    """Whether most of them are where ever more will come to be, as is known."""
    dead: Dead = Dead()
    """By the name that keeps most of them beyond its room."""


def look(
    lineage: Lineage,
    sizes: dict[str, int],
    before: int | None = None,
    walked: Collection[int] = frozenset(),
) -> Kept:
    """What is kept at an iteration's end. `sizes`: of containers and of what leaves went through,
    from one look to the next. `before`: the loss reaches graphs from that generation on; what
    was built in this iteration goes on from those, and they are not dead. `walked`: the serials of
    the nodes at which it does.
    """
    found = _Look(lineage, sizes, lineage.current if before is None else before, walked)
    search(found, sys._getframe())  # noqa: SLF001
    return found.kept()


class _Look(Found):
    """One search. Keeps nodes until it is over."""

    def __init__(
        self, lineage: Lineage, sizes: dict[str, int], before: int, walked: Collection[int]
    ) -> None:
        self._lineage = lineage
        self._sizes = sizes
        self._before = before
        self._walked = walked
        self._seen: dict[Node, bool] = {}
        """Whether a spent graph lies below."""
        self._spent: set[int] = set()
        self._retained: set[int] = set()
        self._marked: set[int] = set()
        """Both: of one iteration a backward may have freed a part and retained another."""
        self._living: set[int] = set()
        self._dead: dict[str, set[int]] = {}
        self._within: dict[Path, set[int]] = {}
        """The same by the element of a container that they lie in."""
        self._again: list[tuple[Path, Path]] = []
        """Such elements, and where else they are kept."""
        self._early: dict[str, set[int]] = {}
        """The same of graphs to which somebody may yet come back."""
        self._unreached: dict[str, tuple[set[int], int]] = {}
        """Iterations of graphs that no backward has freed, and changes of their leaves."""
        self._gathering: list[tuple[Node, Path, int]] = []
        self._rooms = Rooms(lineage, sizes)

    def node(self, node: Node, path: Path, gathers: int = 0) -> None:
        """A name leads to it. `gathers`: of so many iterations, which are known by now."""
        if node in self._seen:
            return
        if not gathers and (many := self._gathered(node, path)) >= _GATHERED:
            self._gathering.append((node, path, many))  # once it is known who else keeps them
            return
        generation = self._generation(node)
        if generation < self._lineage.current:
            self._living.add(generation)
        name, known = name_of(path), len(self._marked)
        # A gradient's own graph is left behind: a backward is called on what is computed of it.
        gradient = path.attribute and path.name == "grad"
        waiting, spent = self._below(node, wanted=not gradient)
        new = len(self._marked) - known
        self._rooms.met(path, new, gathered=0 < new <= gathers)
        if is_dead(node):
            dead = waiting if spent else waiting | generations_of(node, self._lineage)
            if generation == self._lineage.current:
                dead = {each for each in dead if each < self._before}
            if len(dead) <= gathers:
                return  # the window that it was worked out of tells how many there may be
            self._dead.setdefault(name, set()).update(dead)
            for step in path.back():
                if step.parent is not None and step.parent.container:
                    self._within.setdefault(step, set()).update(dead)
        elif not spent:
            self._untrodden(name, *grown(node, self._lineage, self._walked))

    def _untrodden(self, name: str, generations: set[int], changes: int) -> None:
        """A graph that no backward has freed, and how often its leaves were changed by now."""
        if not generations:
            return
        self._living |= generations - {self._lineage.current}
        known, most = self._unreached.get(name, (set(), 0))
        self._unreached[name] = known | generations, max(changes, most)

    def _give_up(self) -> None:
        """What nobody has freed is dead, if since an earlier look its leaves were trained; soon
        where ever more will come to be, for nobody will come back to all of that.

        An episode's sum waits for the actor's backward as well; but the actor waits with it.
        """
        for name, (generations, changes) in self._unreached.items():
            first = min(generations)
            before = self._sizes.setdefault(f"{name} since {first}", changes)
            if len(generations) < _FEW:
                continue
            if self._rooms.is_endless(name):
                found = self._dead if changes >= before + _AGAIN else self._early
                found.setdefault(name, set()).update(generations)
                continue
            if len(generations) < _ENOUGH:
                continue
            if self._lineage.current - first >= OLD and changes >= before + _TRAINED:
                self._dead.setdefault(name, set()).update(generations)
            elif changes >= before + _SOME or len(generations) >= ELSEWHERE:
                self._early[name] = generations

    def _gathered(self, root: Node, path: Path) -> int:
        """Of how many iterations it was worked out at once, its own one too: a window's mean. What
        goes on from its last value is so of few, however many that one was made of.
        """
        if path.index and not self._rooms.is_limited(path):
            return 0
        own = self._generation(root)  # of another thread's: whatever, but not what it was made of
        found, seen, waiting = {own}, {root}, [root]
        while waiting and len(seen) < _MOST_GATHERING:
            for node in edges(waiting.pop()):
                if sequence_of(node) >= LEAF or node in seen:
                    continue
                seen.add(node)
                if (generation := self._generation(node)) == own:
                    waiting.append(node)
                found.add(generation)
        return len(found)

    def _generation(self, node: Node) -> int:
        return self._lineage.generation_of(sequence_of(node))

    def _below(self, root: Node, *, wanted: bool) -> tuple[set[int], bool]:
        """The earlier generations whose retained graphs lie below, and whether spent ones do.
        `wanted`: a backward may come back to them.

        Each node is looked at once. What a backward retained, one of the same iteration may have
        freed that came after it: a derivative's graph, by the backward of the loss.
        """
        kept: dict[bool, set[int]] = {True: set(), False: set()}  # spent, and retained ones
        spent = False
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
            mark, own = sentinel_of(node), self._lineage.own(node)
            if own is not None and own.generation < self._lineage.current:
                kept[own.spent].add(own.generation)
            spent = spent or (mark is not None and mark.spent)
            waiting.extend(edges(node))
        if spent:
            self._seen.update(dict.fromkeys(met, True))
        self._spent |= kept[True]
        self._retained |= kept[False] if wanted else set()
        self._marked |= kept[True] | kept[False]
        return kept[False] - kept[True], spent

    def again(self, first: Path, path: Path) -> None:
        """An element of one container lies in another one, too."""
        self._again.append((first, path))

    def container(self, container: Collection[Any], path: Path) -> None:
        """A name leads to it."""
        self._rooms.container(container, path)

    def kept(self) -> Kept:
        """All that was found."""
        for node, path, many in self._gathering:
            self.node(node, path, many)
        self._give_up()
        for first, path in self._again:
            if first in self._within:
                self._dead.setdefault(name_of(path), set()).update(self._within[first])
        rooms, marked = self._rooms, len(self._marked)
        dead = [self._of(name, found) for name, found in self._dead.items() if found]
        if not dead:
            dead = [self._early_of(name, found) for name, found in self._early.items()]
        return Kept(
            len(self._spent),
            len(self._retained),
            len(self._living),
            rooms.room(marked),
            rooms.is_sure(marked),
            rooms.are_endless(marked),
            max(dead, key=_excess, default=Dead()),
        )

    def _early_of(self, name: str, found: set[int]) -> Dead:
        """Graphs of those iterations, by that name, of which it is early to say."""
        endless = self._rooms.is_endless(name)
        return Dead(len(found), since=min(found), early=True, endless=endless)

    def _of(self, name: str, found: set[int]) -> Dead:
        """Dead graphs of those iterations, by that name."""
        rooms, count = self._rooms, len(found)
        return Dead(
            count,
            rooms.room_of(name, count),
            rooms.is_sure_of(name, count),
            max(min(found), 0),
            endless=rooms.is_endless(name),
        )


def _excess(dead: Dead) -> int:
    return dead.count - dead.room
