"""What a failing backward was about to walk: which part an earlier one has freed, who made it.

Holds nodes only while it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gradwatch_agent import torch_seam
from gradwatch_agent.graph.walking import bottom_up, walk
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of


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


def met(roots: list[Node], other: list[Node]) -> list[Shared]:
    """The same where the roots of what was walked first are there yet: where the graph goes over
    into theirs, of which something is freed.
    """
    first = set(walk(other)) if other else set()
    freed: set[Node] = set()
    found: dict[Node, Shared] = {}
    for node in bottom_up(roots) if first.isdisjoint(roots) else ():
        below = [child for child in edges(node) if child in freed]
        if below or torch_seam.is_freed(node):
            freed.add(node)
        if node not in first:
            met_here = (child for child in below if child in first)
            found |= {child: Shared(child, made_at(node), made_at(child)) for child in met_here}
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
