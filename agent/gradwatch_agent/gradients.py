"""Whether anybody clears the gradients between an optimizer's steps.

A backward adds to a gradient in place, which raises its version by one. So a gradient that at
each backward is still the tensor that the last step left, only that much newer, was cleared by
no one; other models' backwards may have passed through it. Looks at one parameter of each
optimizer; no value is read, so no device is waited for.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection
from dataclasses import dataclass

import torch

from gradwatch_agent.sites import Site
from gradwatch_agent.torch_seam import storage_of


@dataclass(slots=True)
class _Left:
    """The gradient as the step left it."""

    parameter: weakref.ref[torch.Tensor]
    identity: int
    version: int
    added: int = 0
    """Backwards since that reached it."""


class Gradients:
    """Told of every step, and of the start of every backward."""

    def __init__(self) -> None:
        self._left: dict[int, _Left] = {}
        """By the optimizer's serial; gone as soon as the gradient is seen to be cleared."""
        self._kept = 0
        self.site: Site | None = None
        """Where the last optimizer stepped whose gradients were not cleared."""

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer, site: Site | None) -> None:
        """An optimizer has stepped."""
        left = self._left.pop(serial, None)
        if left is not None and left.added:
            self._kept += 1
            self.site = site
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                gradient = parameter.grad
                if gradient is not None:
                    left = _Left(weakref.ref(parameter), id(gradient), gradient._version)  # noqa: SLF001
                    self._left[serial] = left
                    return

    def uncleared(self, reached: Collection[int]) -> int:
        """Before a backward: the steps since the last one with gradients that nobody cleared.

        `reached` are the addresses of the storages of the leaves that are about to get more.
        """
        for serial, left in list(self._left.items()):
            parameter = left.parameter()
            gradient = parameter.grad if parameter is not None else None
            if parameter is None or gradient is None or not _is(gradient, left):
                del self._left[serial]
            elif storage_of(parameter) in reached:
                left.added += 1
        kept, self._kept = self._kept, 0
        return kept


def _is(gradient: torch.Tensor, left: _Left) -> bool:
    """Whether it is what was left, with no more than the backwards added."""
    same = id(gradient) == left.identity
    return same and gradient._version == left.version + left.added  # noqa: SLF001
