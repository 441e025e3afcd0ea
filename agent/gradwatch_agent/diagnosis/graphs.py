"""What a failing backward was about to walk: which part an earlier one has freed, who made it.

Holds nodes only while it is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import torch

from gradwatch_agent import torch_seam
from gradwatch_agent.graph.reached import Crossing
from gradwatch_agent.graph.walking import walk
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of

_MOST_NODES: Final = 200_000


@dataclass(slots=True)
class Shared:
    """The uppermost node of what was freed, as the failing backward meets it."""

    node: Node
    used: tuple[Site, ...] = ()
    """The user's lines that made the node above it."""
    made: tuple[Site, ...] = ()


@dataclass(slots=True)
class _State:
    freed: set[Node] = field(default_factory=set)
    """Nodes with something freed below, or in themselves."""
    whole: set[Node] = field(default_factory=set)
    """Nodes with something below, or in themselves, that is still there."""


def shared(roots: list[Node], since: int = LEAF, *, partly: bool = False) -> list[Shared]:
    """Where the graph goes over into one of which all is freed, or `partly` some, and which was
    there before `since`: what was made of it later saves nothing perhaps, and would look as freed.
    """
    state = _State()
    order = [node for node in bottom_up(roots) if sequence_of(node) < LEAF]
    for node in order:
        below = list(edges(node))
        if any(child in state.freed for child in below):
            state.freed.add(node)
        if any(child in state.whole for child in below):
            state.whole.add(node)
        if torch_seam.is_freed(node):
            state.freed.add(node)
        elif torch_seam.saves(node) and torch_seam.holds_saved(node):
            state.whole.add(node)
    found: dict[Node, Shared] = {}
    if partly:
        state.whole.clear()
    for node in reversed(order):
        if node not in state.whole and sequence_of(node) < since:
            continue
        for child in edges(node):
            freed = child in state.freed and child not in state.whole
            if freed and sequence_of(child) < since:
                found.setdefault(child, Shared(child, made_at(node), made_at(child)))
    return list(found.values())


def read_later(roots: list[Node], tops: list[Shared], since: int) -> list[Shared]:
    """What had been made of these by `since`, as it is met by what was made of it later."""
    made = {top.node for top in tops}
    found: dict[Node, Shared] = {}
    for node in bottom_up(roots):
        below = [child for child in edges(node) if child in made]
        if below and sequence_of(node) < since:
            made.add(node)
        elif below:
            found |= {child: Shared(child, made_at(node), made_at(child)) for child in below}
    return list(found.values())


def made_of(roots: list[Node], nodes: Iterable[Node]) -> list[Node]:
    """What lies between: the nodes that were made of those, in the order of their making."""
    reach = set(nodes)
    found = []
    for node in bottom_up(roots):
        if node not in reach and not reach.isdisjoint(edges(node)):
            reach.add(node)
            found.append(node)
    return sorted(found, key=sequence_of)


def bottom_up(roots: list[Node], ends: Callable[[Node], bool] = lambda _node: False) -> list[Node]:
    """Every node after all that lie below it; what lies below an end is left out."""
    order: list[Node] = []
    seen: set[Node] = set()
    waiting = [(root, False) for root in roots]
    while waiting and len(seen) < _MOST_NODES:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            if ends(node):
                continue
            waiting.extend((child, False) for child in edges(node) if child not in seen)
    return order


class Needs(NamedTuple):
    """What the loss needs of a thing that carries stale nodes; all but `through` of a container."""

    lone: bool = False
    """Whether it trains by what lies in it alone."""
    renewed: bool = False
    """Whether it reaches all of that."""
    apart: bool = False
    """Whether nothing there was made of anything else there."""
    through: bool = False
    """Whether it goes through what the same iteration has put there."""
    only: bool = False
    """Whether some weights are trained by what lies in it alone."""


class Above:
    """Which nodes of this iteration were made of stale ones. What lies below those is not looked
    at: it grows with the chain.
    """

    def __init__(
        self, crossings: Iterable[Crossing], roots: list[Node], serial: Callable[[Node], int]
    ) -> None:
        self._stale = {(each.sequence, each.serial): each.generation for each in crossings}
        """With the iterations in which they were built."""
        self._sequences = {sequence for sequence, _ in self._stale}
        self._roots, self._serial = roots, serial
        self._read: dict[tuple[int, int], set[int]] | None = None
        """Which outputs of each are read, once that was asked."""
        self.needs: dict[str, Needs] = {}
        """By the name of what carries."""

    def of(self, crossing: Crossing, roots: list[Node] | None = None) -> list[Node]:
        """The nodes above that one, in the order of their making."""
        reach: set[Node] = set()
        found = []
        for node in bottom_up(self._roots if roots is None else roots, self._is_stale):
            if self._key(node) == (crossing.sequence, crossing.serial):
                reach.add(node)
            elif not reach.isdisjoint(edges(node)):
                reach.add(node)
                found.append(node)
        return sorted(found, key=sequence_of)

    def stale(self, crossing: Crossing) -> Node | None:
        """The stale node itself."""
        key = (crossing.sequence, crossing.serial)
        return next(
            (n for n in bottom_up(self._roots, self._is_stale) if self._key(n) == key), None
        )

    def outputs(self, crossing: Crossing) -> list[int]:
        """Which of the stale node's outputs are read by nodes that are not stale themselves."""
        if self._read is None:
            self._read = self._all_read()
        return sorted(self._read.get((crossing.sequence, crossing.serial), ()))

    def _all_read(self) -> dict[tuple[int, int], set[int]]:
        """The same of all of them, in one walk: a graph may be large."""
        found: dict[tuple[int, int], set[int]] = {}
        for node in bottom_up(self._roots, self._is_stale):
            if self._is_stale(node):
                continue
            for child in edges(node):
                if (key := self._key(child)) in self._stale and key is not None:
                    found.setdefault(key, set()).update(torch_seam.outputs_read(node, child))
        return found

    def reaches_all(self, nodes: set[Node]) -> bool:
        """Whether all of these are reached, and some are of this iteration."""
        whole = set(bottom_up(self._roots, self._is_stale))
        return nodes <= whole and not all(map(self._is_stale, nodes))

    def are_apart(self, nodes: set[Node]) -> bool:
        """Whether those that are stale are of several iterations, and none was made of another one,
        or of what is stale.
        """
        stale = [node for node in nodes if self._is_stale(node)]
        keys = (key for node in stale if (key := self._key(node)) is not None)
        several = len({self._stale[key] for key in keys}) > 1
        return several and not any(
            below in nodes or self._is_stale(below)
            for each in stale
            for below in bottom_up([each])
            if below != each
        )

    def trains_beside(self, nodes: set[Node]) -> bool:
        """Whether a leaf is reached by another way than through stale nodes, or through these."""
        whole = bottom_up(self._roots, lambda node: node in nodes or self._is_stale(node))
        return any(sequence_of(node) >= LEAF for node in whole)

    def trains_only_by(self, nodes: set[Node]) -> bool:
        """Whether a leaf lies below those of these that are new, and no other way leads to it."""
        fresh = [node for node in nodes if not self._is_stale(node)]
        inside = set(filter(_is_leaf, bottom_up(fresh, self._is_stale)))
        whole = bottom_up(self._roots, lambda node: node in nodes or self._is_stale(node))
        return not inside.issubset(filter(_is_leaf, whole))

    def _is_stale(self, node: Node) -> bool:
        return self._key(node) in self._stale

    def _key(self, node: Node) -> tuple[int, int] | None:
        """Only what may be stale is asked for its serial: asking may write one."""
        sequence = sequence_of(node)
        return (sequence, self._serial(node)) if sequence in self._sequences else None


def _is_leaf(node: Node) -> bool:
    return sequence_of(node) >= LEAF


def parameters(roots: Iterable[Node]) -> dict[int, torch.Tensor]:
    """The tensors at the leaves, by their ids."""
    tensors = [node.variable for node in walk(roots) if sequence_of(node) >= LEAF]
    return {id(tensor): tensor for tensor in tensors}


class _Named(Found):
    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = set(nodes)
        self.paths: dict[Node, list[Path]] = {}
        self._again: dict[Path, Path] = {}

    def node(self, node: Node, path: Path) -> None:
        if node in self._nodes:
            self.paths.setdefault(node, []).append(path)

    def again(self, first: Path, path: Path) -> None:
        self._again.setdefault(first, path)

    def by_all_ways(self) -> dict[Node, list[Path]]:
        """Those by way of the containers, too, in which things lie that have names of their own."""
        for found in self.paths.values():
            found += [
                path.by_way_of(step, self._again[step])
                for path in found
                for step in path.back()
                if step in self._again
            ]
        return self.paths


def names_of(nodes: Iterable[Node], *, closely: bool = False) -> dict[Node, list[Path]]:
    """By which names the tensors go that these nodes made; `closely`: in generators that wait in
    loops' heads, too.
    """
    named = _Named(nodes)
    search(named, sys._getframe(), closely=closely)  # noqa: SLF001
    return named.by_all_ways()
