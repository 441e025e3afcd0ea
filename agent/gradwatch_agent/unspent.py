"""Graphs that were built, never backwarded, and kept: whether anyone may still want them.

An episode's log-probabilities wait for the actor's backward, and rightly so. But once an
optimizer has changed a weight that a graph saved, no backward can use that graph again: torch
would refuse. Such a graph is dead, and who keeps it leaks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from gradwatch_agent.advice.letting_go import let_go
from gradwatch_agent.diagnosis.answering import answer_for
from gradwatch_agent.diagnosis.holding import Reach
from gradwatch_agent.lineage import Lineage
from gradwatch_agent.naming import Path, search
from gradwatch_agent.torch_seam import LEAF, Node, edges, is_outdated, sequence_of
from gradwatch_agent.verdicts.case import Answer

_MOST_NODES: Final = 2_000
"""Nodes of one graph looked at for a weight that was changed."""


def dead_graphs(lineage: Lineage) -> tuple[int, Callable[[], Answer]]:
    """How many earlier generations' dead graphs one name keeps, and who that is.

    The name that keeps most of them is taken; 0 where none does.
    """
    known: dict[tuple[str, int], bool] = {}

    def dead(node: Node, path: Path) -> int:
        if sequence_of(node) >= lineage.start:
            return 0
        generation = lineage.generation_of(sequence_of(node))
        if lineage.is_spent(generation, node):
            return 0
        key = (path.holder.expression, generation)
        if not known.get(key):
            known[key] = _is_dead(node)
        return known[key] << generation

    reach = Reach(dead, objects=False)
    reach.aliases = search(reach, sys._getframe())  # noqa: SLF001
    holder, aliases = reach.holder(), reach.aliases
    if holder is None:
        return reach.most(), Answer
    return reach.most(), lambda: answer_for(holder, let_go, aliases)


def _is_dead(root: Node) -> bool:
    """Whether some node below holds a weight that has been changed since."""
    seen: set[Node] = set()
    waiting = [root]
    while waiting and len(seen) < _MOST_NODES:
        node = waiting.pop()
        if node in seen or sequence_of(node) >= LEAF:
            continue
        if is_outdated(node):
            return True
        seen.add(node)
        waiting.extend(edges(node))
    return False
