"""Which nodes of an iteration were made of stale ones, and what the loss needs of their carrier.

Holds nodes only while it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gradwatch_agent import torch_seam
from gradwatch_agent.diagnosis.stepping import to_be_stepped
from gradwatch_agent.graph.reached import Crossing
from gradwatch_agent.graph.walking import bottom_up, parameters
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of


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
        self._sole: bool | None = None
        """Whether stale graphs alone are trained, once that was asked."""
        self._needed: bool | None = None
        """Whether they alone lead to some weights, once that was asked."""

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

    @property
    def trains_by_stale_ones(self) -> bool:
        """Whether no leaf is reached but by way of stale nodes: cut, they leave none to train."""
        if self._sole is None:
            self._sole = not self.trains_beside(set())
        return self._sole

    @property
    def leads_to_weights(self) -> bool:
        """Whether what is reached by way of stale nodes alone are weights of the optimizer that is
        to step: cut, these nodes leave them nothing to learn by. Where it is not known which one
        that is, any that steps what is reached beside, or any at all where nothing is.
        """
        if self._needed is None:
            whole = bottom_up(self._roots, self._is_stale)
            beside = {id(node.variable) for node in whole if _is_leaf(node)}
            stale = [node for node in whole if self._is_stale(node)]
            alone = parameters(stale).keys() - beside
            self._needed = bool(alone) and alone <= to_be_stepped(beside)
        return self._needed

    def is_made_with_weights(self, crossing: Crossing) -> bool:
        """Whether what was made of the stale node, by the line that first reads it, was made of
        leaves besides, or of what is no older than this iteration and leads to some; and by that
        line once, as far as the kinds of its nodes tell.
        """
        own = [node for node in self.of(crossing) if made_at(node)[:1] == crossing.used[:1]]
        if not crossing.used or len(set(map(type, own))) < len(own):
            return False
        return any(map(_is_leaf, bottom_up(own, self._is_stale)))

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
