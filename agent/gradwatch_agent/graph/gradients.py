"""Whether anybody clears the gradients between an optimizer's steps.

A backward adds to a gradient in place, which raises its version by one. So a gradient that at
each backward is still the tensor that the last step left, only that much newer, was cleared by
no one; other models' backwards may have passed through it. Looks at some parameters of each
optimizer, for a part of them may be cleared; no value is read, so no device is waited for.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import torch

from gradwatch_agent.lines.sites import Site
from gradwatch_agent.torch_seam import plainly, storage_of

_OF_A_GROUP: Final = 4
"""Parameters of each group that are looked at: the first, the last and those between."""

_VALUES: Final = 256
"""So many of a gradient are read at the most."""


@dataclass(slots=True)
class _Left:
    """The gradient as the step left it."""

    parameter: weakref.ref[torch.Tensor]
    identity: int
    version: int
    added: int = 0
    """Backwards since that reached it."""


class Clearing:
    """Whether what a backward leaves in the gradients is cleared before the next one that reaches
    the same parameter; asked while nobody knows whether an optimizer will ever step.
    """

    def __init__(self) -> None:
        self._left: _Left | None = None
        self._parameter: weakref.ref[torch.Tensor] | None = None

    def before(self, parameter: torch.Tensor) -> bool:
        """A backward that reaches the parameter is about to start: whether it was cleared."""
        left, self._parameter = self._left, weakref.ref(parameter)
        if left is None or left.parameter() is not parameter:
            return False
        return parameter.grad is None or not _is(parameter.grad, left)

    def after(self) -> None:
        """That backward has ended."""
        parameter = self._parameter() if self._parameter is not None else None
        gradient = parameter.grad if parameter is not None else None
        if parameter is not None and gradient is not None:
            version = gradient._version  # noqa: SLF001
            self._left = _Left(weakref.ref(parameter), id(gradient), version)


class Gradients:
    """Told of every step, and of the start of every backward."""

    def __init__(self) -> None:
        self._left: dict[int, list[_Left]] = {}
        """By the optimizer's serial; gone as soon as the gradient is seen to be cleared."""
        self._kept = 0
        self.site: Site | None = None
        """Where the last optimizer stepped whose gradients were not cleared."""

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer, site: Site | None) -> None:
        """An optimizer has stepped."""
        if any(left.added and _goes_on(left) for left in self._left.pop(serial, ())):
            self._kept += 1
            self.site = site
        self._left[serial] = [
            _Left(weakref.ref(parameter), id(gradient), gradient._version)  # noqa: SLF001
            for group in optimizer.param_groups
            for parameter in _some(group["params"])
            if (gradient := parameter.grad) is not None
        ]

    def uncleared(self, reached: Collection[int]) -> int:
        """Before a backward: the steps since the last one with gradients that nobody cleared.

        `reached` are the addresses of the storages of the leaves that are about to get more.
        """
        self._left = {
            serial: standing
            for serial, lefts in self._left.items()
            if (standing := [left for left in lefts if _stands(left, reached)])
        }
        kept, self._kept = self._kept, 0
        return kept


def _some(parameters: list[torch.Tensor]) -> Iterator[torch.Tensor]:
    """A few of them, the first and the last among them."""
    last = len(parameters) - 1
    places = {last * part // (_OF_A_GROUP - 1) for part in range(_OF_A_GROUP)}
    return (parameters[place] for place in sorted(places) if parameters)


def _stands(left: _Left, reached: Collection[int]) -> bool:
    """Whether the gradient is still the one that was left; a backward may add to it now."""
    parameter = left.parameter()
    gradient = parameter.grad if parameter is not None else None
    if parameter is None or gradient is None or not _is(gradient, left):
        return False
    if not left.added and _is_zero(gradient):
        return False
    left.added += storage_of(parameter) in reached
    return True


def _is_zero(gradient: torch.Tensor) -> bool:
    """Whether its first values are zeros, as far as that is known without waiting for a device."""
    if type(gradient) is not torch.Tensor or gradient.device.type != "cpu":
        return False
    if gradient.layout is not torch.strided or not gradient.is_contiguous():
        return False
    with plainly(), torch.no_grad():
        return not bool(gradient.view(-1)[:_VALUES].any())


def _goes_on(left: _Left) -> bool:
    """Whether a step takes what was added to: clipped since, maybe, but not put in its place."""
    parameter = left.parameter()
    gradient = parameter.grad if parameter is not None else None
    if gradient is None or id(gradient) != left.identity:
        return False
    return gradient._version >= left.version + left.added  # noqa: SLF001


def _is(gradient: torch.Tensor, left: _Left) -> bool:
    """Whether it is what was left, with no more than the backwards added."""
    same = id(gradient) == left.identity
    return same and gradient._version == left.version + left.added  # noqa: SLF001
