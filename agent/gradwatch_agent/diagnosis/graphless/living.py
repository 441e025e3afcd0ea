"""What still lives tells of itself: whether it requires a gradient, whether it should.

Reads without running any of the program's code.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterator
from types import FunctionType, ModuleType
from typing import Any, Final

import torch

from gradwatch_agent.diagnosis.graphless.making import made
from gradwatch_agent.diagnosis.graphless.modules import weights_of
from gradwatch_agent.diagnosis.graphless.scene import Spot
from gradwatch_agent.diagnosis.graphless.ways import NOTHING, Fate, Trained, Way, Why
from gradwatch_agent.graph.walking import walk
from gradwatch_agent.naming.attributes import MISSING
from gradwatch_agent.naming.containers import CONTAINERS, elements
from gradwatch_agent.source.syntax.reading import dotted
from gradwatch_agent.torch_seam import LEAF, plainly, sequence_of

_PLAIN: Final = (bool, int, str, bytes, type(None), type, ModuleType, FunctionType, torch.nn.Module)
"""What has no graph itself, nor was made of any; a float may be a loss's."""

_MOST_NODES: Final = 20_000
"""Of the graphs of what still lives."""

_MOST: Final = 256
"""Elements of one container."""


class Living:
    """Of the program's files. `stepped`: what is to be trained."""

    def __init__(self, files: Collection[str], stepped: Collection[torch.Tensor]) -> None:
        self._files = files
        self._stepped = {id(tensor) for tensor in stepped}
        self._steps_weights = any(issubclass(type(t), torch.nn.Parameter) for t in stepped)
        """Whether they are a module's, and not just a tensor."""

    def trained(self, tensors: list[torch.Tensor]) -> Trained:
        """Whether an optimizer steps one of them."""
        if any(id(tensor) in self._stepped for tensor in tensors):
            return Trained.YES
        return Trained.NO if self._steps_weights else Trained.UNKNOWN

    def trained_of(self, module: torch.nn.Module) -> Trained:
        """Whether one steps any of its weights."""
        return self.trained(list(weights_of(module)))

    def ways(self, value: ast.expr, spot: Spot) -> list[Way]:
        """Where the ways back from the value end, if it tells; none if its making must."""
        meant = spot.scene.meant(value)
        if meant is MISSING:
            return []
        found = list(_tensors(meant))
        with plainly():
            wanting = [tensor for tensor in found if tensor.requires_grad]
        if wanting:
            return [Way(Fate.GRAPH, trained=self.trained([*wanting, *_leaves_below(wanting)]))]
        by_hand = dotted(value) in _by_hand(spot.scene.body)
        if found and (by_hand or self.trained(found) is Trained.YES):
            return [self._wanting(value, spot, found)]
        return list(NOTHING) if issubclass(type(meant), _PLAIN) else []

    def _wanting(self, value: ast.expr, spot: Spot, tensors: list[torch.Tensor]) -> Way:
        """It should require a gradient, and does not."""
        frozen = any(issubclass(type(tensor), torch.nn.Parameter) for tensor in tensors)
        at = (None if frozen else made(value, spot, self._files)) or spot
        why = Why.FROZEN if frozen else Why.PLAIN
        return Way(Fate.CUT, at.scene.file, at.node, why, ast.unparse(value), Trained.YES)


def is_frozen(module: torch.nn.Module) -> bool:
    """Whether it has weights, none of which requires a gradient."""
    weights = list(weights_of(module))
    return bool(weights) and not requires_gradient(weights)


def _leaves_below(tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    """Those that their graphs lead to."""
    roots = [tensor.grad_fn for tensor in tensors if tensor.grad_fn is not None]
    nodes = walk(roots, _MOST_NODES)
    return [node.variable for node in nodes if sequence_of(node) >= LEAF]


def requires_gradient(tensors: list[torch.Tensor]) -> bool:
    """Whether one of them does."""
    with plainly():
        return any(tensor.requires_grad for tensor in tensors)


@functools.lru_cache(maxsize=512)
def _by_hand(body: ast.AST) -> frozenset[str]:
    """The names of what a function asks for its gradient: `w -= rate * w.grad`."""
    every = (n for n in ast.walk(body) if isinstance(n, ast.Attribute) and n.attr == "grad")
    return frozenset(name for name in (dotted(each.value) for each in every) if name)


def _tensors(value: Any, depth: int = 2) -> Iterator[torch.Tensor]:
    """It, or those that lie in a container."""
    if issubclass(type(value), torch.Tensor):
        yield value
    elif depth and issubclass(type(value), CONTAINERS):
        for each in elements(value)[:_MOST]:
            yield from _tensors(each, depth - 1)
