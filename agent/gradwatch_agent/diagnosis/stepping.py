"""Gradients that wait for a step, and the optimizers that would take it. Runs no code of the
program's.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping

import torch

from gradwatch_agent.diagnosis.graphless.trained import trained_next
from gradwatch_agent.graph.walking import parameters
from gradwatch_agent.torch_seam import Node, living_optimizers, stepped_by


def trained_by(roots: list[Node]) -> Collection[int]:
    """The ids of what a loss of that graph trains; of one that is gone, what waits for a step."""
    if roots:
        return parameters(roots).keys()
    return {id(each) for each in owned() if has_gradient(each)}


def owned() -> Iterator[torch.Tensor]:
    """What any optimizer steps."""
    return (each for optimizer in living_optimizers() for each in stepped_by(optimizer))


def stepped_behind() -> frozenset[int]:
    """The ids of what the optimizer steps whose step is next, told by the source behind the
    backward that is called; none where that does not tell.
    """
    return frozenset(map(id, trained_next(sys._getframe()) or ()))  # noqa: SLF001


def to_be_stepped(reached: Collection[int]) -> frozenset[int]:
    """The same; where the source does not tell, of the optimizers that step some of what a loss has
    `reached`, or of all where that is nothing.
    """
    if following := stepped_behind():
        return following
    stepped = [frozenset(map(id, stepped_by(each))) for each in living_optimizers()]
    return frozenset().union(*(each for each in stepped if not reached or each & set(reached)))


def others_wait(below: Mapping[int, torch.Tensor]) -> bool:
    """Whether gradients wait to be used by an optimizer that has none of these, whose own are all
    cleared: in vain were they made.
    """
    return any(
        below.keys().isdisjoint(map(id, own)) and any(map(has_gradient, own))
        for own in map(stepped_by, living_optimizers())
    )


def has_gradient(tensor: torch.Tensor) -> bool:
    """Whether one is there that is not zero, as far as can be told without running a subclass's
    code: that may talk to other ranks.
    """
    gradient = tensor.grad
    return gradient is not None and (type(gradient) is not torch.Tensor or bool(gradient.any()))
