"""Graphs that nobody has freed and that no backward can use any more: who keeps them.

An episode's log-probabilities wait for the actor's backward, and rightly so. But once an
optimizer has changed a weight that a graph saved, or a backward from elsewhere has freed a part
of it, no backward can use that graph again: torch would refuse. Such a graph is dead, and who
keeps it leaks.
"""

from __future__ import annotations

import sys
from typing import Final

import torch

from gradwatch_agent import advice
from gradwatch_agent.diagnosis import answer_for, expression
from gradwatch_agent.lineage import Lineage, sentinel_of
from gradwatch_agent.names import Path, visit
from gradwatch_agent.torch_seam import (
    LEAF,
    Node,
    edges,
    graph_of,
    is_freed,
    is_outdated,
    sequence_of,
)
from gradwatch_agent.verdicts.case import Answer

_MOST_NODES: Final = 2_000
"""Nodes of one graph looked at for a weight that was changed."""


def is_dead(root: Node) -> bool:
    """Whether no backward of this root has freed the graph, and none could be run any more."""
    mark = sentinel_of(root)
    if mark is not None and mark.spent:
        return False
    seen: set[Node] = set()
    waiting = [root]
    while waiting and len(seen) < _MOST_NODES:
        node = waiting.pop()
        if node in seen or sequence_of(node) >= LEAF:
            continue
        if is_freed(node) or is_outdated(node):
            return True
        seen.add(node)
        waiting.extend(edges(node))
    return False


def of_dead(lineage: Lineage) -> Answer:
    """The name that keeps dead graphs of most iterations."""
    kept: dict[str, set[int]] = {}
    paths: dict[str, Path] = {}

    def found(tensor: torch.Tensor, path: Path) -> None:
        node = graph_of(tensor)
        if node is None:
            return
        name, generation = expression(path), lineage.generation_of(sequence_of(node))
        generations = kept.setdefault(name, set())
        paths.setdefault(name, path)
        if generation not in generations and is_dead(node):
            generations.add(generation)

    visit(found, None, sys._getframe())  # noqa: SLF001
    most = max((len(generations) for generations in kept.values()), default=0)
    names = [name for name, generations in kept.items() if most and len(generations) == most]
    if not names:
        return Answer()
    return answer_for(paths[min(names, key=lambda name: paths[name].steps)], advice.let_go)
