"""Whether anybody clears the gradients between an optimizer's steps.

A gradient that is the same tensor, in the same version, when the next backward starts as when
the step ended, was cleared by no one. Looks at one parameter of each optimizer; no value is
read, so no device is waited for.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection
from dataclasses import dataclass

import torch

from gradwatch_agent.sites import Site


@dataclass(slots=True)
class _Left:
    """The gradient as the step left it."""

    parameter: weakref.ref[torch.Tensor]
    identity: int
    version: int


class Gradients:
    """Told of every step, and of the start of every backward."""

    def __init__(self) -> None:
        self._left: dict[int, _Left] = {}
        self.site: Site | None = None
        """Where the last optimizer stepped whose gradients were not cleared."""
        self._sites: dict[int, Site | None] = {}

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer, site: Site | None) -> None:
        """An optimizer has stepped."""
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                gradient = parameter.grad
                if gradient is not None:
                    left = _Left(weakref.ref(parameter), id(gradient), gradient._version)  # noqa: SLF001
                    self._left[serial], self._sites[serial] = left, site
                    return

    def uncleared(self, reached: Collection[int]) -> int:
        """The optimizers whose gradients are as their last step left them.

        Before a backward that reaches leaves with storages at these addresses: only they are
        about to get more.
        """
        count = 0
        for serial, left in list(self._left.items()):
            parameter = left.parameter()
            if parameter is not None and _address(parameter) not in reached:
                continue
            del self._left[serial]
            gradient = parameter.grad if parameter is not None else None
            same = gradient is not None and id(gradient) == left.identity
            if same and gradient is not None and gradient._version == left.version:  # noqa: SLF001
                count += 1
                self.site = self._sites[serial]
        return count


def _address(parameter: torch.Tensor) -> int:
    try:
        return int(parameter.untyped_storage().data_ptr())
    except (RuntimeError, AttributeError):
        return 0
