"""Of two losses of one iteration, the one that merely weighs by what the other one trains, or that
trains who judges it.

An actor's loss multiplies log-probabilities by an advantage that a critic has computed; the
critic's own loss trains the critic. Each has its optimizer, and nothing trained is applied on top
of the advantage: the actor's loss has no business below it. Holds nodes only while it is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable

from gradwatch_agent.graph.walking import bottom_up, parameters
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.torch_seam import (
    LEAF,
    Node,
    edges,
    leaf_storage,
    living_optimizers,
    saved_storages,
    saves,
    sequence_of,
    stepped_by,
    storage_of,
)


class _Of(Found):
    """The node of what goes by a name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.roots: list[Node] = []

    def node(self, node: Node, path: Path) -> None:
        if path.expression == self._name and not self.roots:
            self.roots.append(node)


def roots_of(name: str | None) -> list[Node]:
    """The root of the graph of what goes by that name, if anything does."""
    found = _Of(name or "")
    if name:
        search(found, sys._getframe())  # noqa: SLF001
    return found.roots


def merely_weighs(loss: list[Node], other: list[Node], tops: Collection[Node]) -> bool:
    """Whether the loss takes what lies below `tops`, which both reach, for a weight alone: nothing
    trained is applied on top of it, and what else the loss trains, another optimizer steps; while
    the other loss trains only what the optimizers of the shared part step.
    """
    if not trains_its_own(loss, parameters(other), tops):
        return False
    return not _taken(_above(loss, tops))


def trains_its_own(loss: list[Node], others: Collection[int], tops: Collection[Node]) -> bool:
    """Whether what the loss trains beside the shared part, another optimizer steps; while the other
    loss trains only what the optimizers of the shared part step: `others`, the ids of that.
    """
    own, theirs = set(parameters(loss)), _stepped_with(set(parameters(tops)))
    return bool(loss and others and own - theirs and theirs.issuperset(others))


def is_of_that_alone(loss: list[Node], tops: Collection[Node]) -> bool:
    """Whether the loss trains nothing but what lies below `tops`: cut there, it has no graph."""
    return not _taken(node for node, _ in _around(loss, tops))


def trains_it_too(loss: list[Node], tops: Collection[Node], first: Collection[int]) -> bool:
    """Whether an optimizer of what the loss trains beside the shared part steps that part, too, and
    is another one than that of the `first` loss, which has stepped these.
    """
    below = set(parameters(tops))
    beside = set(parameters(loss)) - below - set(first)
    stepped = (set(map(id, stepped_by(each))) for each in living_optimizers())
    return any(owned & beside and owned & below for owned in stepped)


def _stepped_with(below: set[int]) -> set[int]:
    """The ids of all that the optimizers of these step."""
    stepped = [set(map(id, stepped_by(each))) for each in living_optimizers()]
    return set().union(*(owned for owned in stepped if not owned.isdisjoint(below)))


def tells_apart(loss: list[Node], other: list[Node], tops: Collection[Node]) -> bool:
    """Whether the loss trains weights that it applies to what lies below `tops` and to other data,
    as a discriminator's to what is real; the other loss applies them, frozen or not, to that alone;
    and another optimizer steps them.
    """
    if not (loss and other):
        return False
    passed = list(_above(other, tops))
    applied = _taken(_above(loss, tops)) & (_taken(passed) | _saved(passed))
    judging = (applied & _taken(_beside(loss, tops))) - _taken(_beside(other, tops))
    stepped = _stepped_with(set(parameters(tops)))
    weights = parameters(loss).items()
    return any(id_ not in stepped for id_, each in weights if storage_of(each) in judging)


def _above(roots: list[Node], tops: Collection[Node]) -> Iterable[Node]:
    """The nodes that are made of these."""
    return (node for node, above in _around(roots, tops) if above)


def _beside(roots: list[Node], tops: Collection[Node]) -> Iterable[Node]:
    """Those that are not, nor lie below them."""
    return (node for node, above in _around(roots, tops) if not above)


def _around(roots: list[Node], tops: Collection[Node]) -> Iterable[tuple[Node, bool]]:
    """The nodes that do not lie below these, each with whether it is made of them."""
    reach = set(tops)
    for node in bottom_up(roots, reach.__contains__):
        if node not in tops:
            above = not reach.isdisjoint(edges(node))
            if above:
                reach.add(node)
            yield node, above


def _taken(nodes: Iterable[Node]) -> set[int]:
    """The storages of the leaves that these take, as they are or as another view of them: a linear
    layer's weights are transposed.
    """
    found = set()
    for child in (child for node in nodes if not _is_view(node) for child in edges(node)):
        while _is_view(child):
            (child,) = edges(child)
        if sequence_of(child) >= LEAF:
            found.add(leaf_storage(child))
    return found - {0}  # of those without a storage


def _is_view(node: Node) -> bool:
    """Whether it may be that of a view of one thing: it needs nothing but the gradient."""
    return sequence_of(node) < LEAF and not saves(node) and len(edges(node)) == 1


def _saved(nodes: Iterable[Node]) -> set[int]:
    """The storages of what these have saved, and not freed."""
    found: dict[int, int] = {}
    for node in nodes:
        saved_storages(node, found)
    return set(found)
