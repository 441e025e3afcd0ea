"""What should be trained: the tensors that optimizers step, of one that steps right behind the
backward its own alone.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator

import torch

from gradwatch_agent.diagnosis.graphless.scene import Spot, scenes
from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.frames import Locals, outward
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import statements_of
from gradwatch_agent.torch_seam import living_optimizers, stepped_by


def to_be_trained(spots: list[Spot]) -> list[torch.Tensor]:
    """All of them; `spots` are where the frames are, the one with the backward last."""
    own = stepped_next(spots)
    if own is not None:
        return own
    return [tensor for each in living_optimizers() for tensor in stepped_by(each)]


def stepped_next(spots: list[Spot]) -> list[torch.Tensor] | None:
    """Those of the optimizer that steps right behind the backward; None if that is not known."""
    for spot in reversed(spots):
        for optimizer in _stepping(spot):
            return list(stepped_by(optimizer))
    return None


def trained_next(frame: types.FrameType) -> list[torch.Tensor] | None:
    """The same, told by the frames: `frame` is one of within the call of that backward."""
    frames = [each for each in outward(frame) if is_own(each.f_code.co_filename)][::-1]
    local = Locals()
    try:
        return stepped_next(list(scenes([(each, each.f_lineno) for each in frames], local)))
    finally:
        local.clear()


def _stepping(spot: Spot) -> Iterator[torch.optim.Optimizer]:
    """The optimizer that the next statement with a `step` steps, if it is one."""
    line = spot.node.end_lineno or spot.node.lineno
    end = line, spot.node.end_col_offset or 0
    every = statements_of(spot.scene.file, line)
    later = [each for each in every if (each.lineno, each.col_offset) >= end]
    for statement in sorted(later, key=lambda each: (each.lineno, each.col_offset)):
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            if called(call) in ("backward", "zero_grad"):
                return
            if called(call) == "step" and isinstance(call.func, ast.Attribute):
                meant = spot.scene.meant(call.func.value)
                if issubclass(type(meant), torch.optim.Optimizer):
                    yield meant
                return
