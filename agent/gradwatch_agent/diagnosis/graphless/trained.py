"""What should be trained: the tensors that optimizers step, of one that steps right behind the
backward its own alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import torch

from gradwatch_agent.diagnosis.graphless.scene import Spot
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import statements_of
from gradwatch_agent.torch_seam import living_optimizers, stepped_by


def to_be_trained(spots: list[Spot]) -> list[torch.Tensor]:
    """All of them; `spots` are where the frames are, the one with the backward last."""
    for spot in reversed(spots):
        for optimizer in _stepping(spot):
            return list(stepped_by(optimizer))
    return [tensor for each in living_optimizers() for tensor in stepped_by(each)]


def _stepping(spot: Spot) -> Iterator[torch.optim.Optimizer]:
    """The optimizer that the next statement with a `step` steps, if it is one."""
    file, line = spot.scene.file, spot.node.end_lineno or spot.node.lineno
    later = (each for each in statements_of(file, line) if each.lineno > line)
    for statement in later:
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            if called(call) in ("backward", "zero_grad"):
                return
            if called(call) == "step" and isinstance(call.func, ast.Attribute):
                meant = spot.scene.meant(call.func.value)
                if issubclass(type(meant), torch.optim.Optimizer):
                    yield meant
                return
