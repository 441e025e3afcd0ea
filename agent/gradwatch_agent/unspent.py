"""Graphs that were built, never backwarded, and kept: whether anyone may still want them.

An episode's log-probabilities wait for the actor's backward, and rightly so. But once an
optimizer has changed a weight that a graph saved, no backward can use that graph again: torch
would refuse. Such a graph is dead, and who keeps it leaks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import torch

from gradwatch_agent import advice
from gradwatch_agent.diagnosis import answer_for, expression
from gradwatch_agent.lineage import Lineage
from gradwatch_agent.names import Path, visit
from gradwatch_agent.torch_seam import LEAF, Node, edges, graph_of, is_outdated, sequence_of
from gradwatch_agent.verdicts.case import Answer

_MOST_NODES: Final = 2_000
"""Nodes of one graph looked at for a weight that was changed."""


def dead_graphs(lineage: Lineage) -> tuple[int, Callable[[], Answer]]:
    """How many earlier generations' dead graphs one name keeps, and who that is.

    The name that keeps most of them is taken; 0 where none does.
    """
    kept: dict[str, dict[int, bool]] = {}
    paths: dict[str, Path] = {}

    def found(tensor: torch.Tensor, path: Path) -> None:
        node = graph_of(tensor)
        if node is None or sequence_of(node) >= lineage.start:
            return
        generation = lineage.generation_of(sequence_of(node))
        if lineage.is_spent(generation, node):
            return
        name = expression(path)
        paths.setdefault(name, path)
        generations = kept.setdefault(name, {})
        if generation not in generations:
            generations[generation] = _is_dead(node)

    visit(found, None, sys._getframe())  # noqa: SLF001
    dead = {name: sum(generations.values()) for name, generations in kept.items()}
    if not dead:
        return 0, Answer
    name = max(dead, key=lambda name: (dead[name], -paths[name].steps))
    path = paths[name]
    return dead[name], lambda: answer_for(path, advice.let_go)


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
