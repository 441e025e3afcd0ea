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
from gradwatch_agent.kept.marked import Marked
from gradwatch_agent.kept.rooms import Rooms, name_of
from gradwatch_agent.kept.unspent import generations_of, grown, is_dead
from gradwatch_agent.kept.untrodden import Untrodden
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of

_GATHERED: Final = 4
"""Iterations of which something is worked out at once that make it a window's mean."""

_MOST_GATHERING: Final = 256
"""Nodes that are looked at for that."""


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
        self._marked = Marked(lineage)
        self._untrodden = Untrodden()
        self._living: set[int] = set()
        self._dead: dict[str, set[int]] = {}
        self._within: dict[Path, set[int]] = {}
        """The same by the element of a container that they lie in."""
        self._again: list[tuple[Path, Path]] = []
        """Such elements, and where else they are kept."""
        self._limited: list[tuple[Node, Path]] | None = []
        """What lies where but so many can: looked at once it is known what other names lead to."""
        self._gathering: list[tuple[Node, Path, int]] = []
        self._rooms = Rooms(lineage, sizes)

    def node(self, node: Node, path: Path, gathers: int = 0) -> None:
        """A name leads to it. `gathers`: of so many iterations, which are known by now."""
        if self._marked.has_met(node):
            return
        if self._limited is not None and path.index and self._rooms.is_limited(path):
            self._limited.append((node, path))
            return
        if not gathers and (many := self._gathered(node, path)) >= _GATHERED:
            self._gathering.append((node, path, many))  # once it is known who else keeps them
            return
        generation = self._generation(node)
        if generation < self._lineage.current:
            self._living.add(generation)
        name, known = name_of(path), len(self._marked.every)
        # A gradient's own graph is left behind: a backward is called on what is computed of it.
        gradient = path.attribute and path.name == "grad"
        waiting, spent = self._marked.below(node, wanted=not gradient)
        new = len(self._marked.every) - known
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
            graph = grown(node, self._lineage, self._walked)
            self._living |= graph.generations - {self._lineage.current}
            self._untrodden.add(name, graph)

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

    def again(self, first: Path, path: Path) -> None:
        """An element of one container lies in another one, too."""
        self._again.append((first, path))
        self._rooms.again(first, path)

    def container(self, container: Collection[Any], path: Path) -> None:
        """A name leads to it."""
        self._rooms.container(container, path)

    def kept(self) -> Kept:
        """All that was found."""
        limited, self._limited = self._limited or [], None
        for node, path in limited:
            self.node(node, path)
        for node, path, many in self._gathering:
            self.node(node, path, many)
        rooms, marked = self._rooms, self._marked
        given_up, early = self._untrodden.given_up(self._sizes, self._lineage.current, rooms)
        for name, generations in given_up.items():
            self._dead.setdefault(name, set()).update(generations)
        for first, path in self._again:
            if first in self._within:
                self._dead.setdefault(name_of(path), set()).update(self._within[first])
        dead = [self._of(name, found) for name, found in self._dead.items() if found]
        if not dead:
            dead = [self._early_of(name, found) for name, found in early.items()]
        count = len(marked.every)
        return Kept(
            len(marked.spent),
            len(marked.retained),
            len(self._living),
            rooms.room(count),
            rooms.is_sure(count),
            rooms.are_endless(count),
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
