"""An optimizer's steps, counted by what each leaves in a weight: a higher version.

So the steps of a loop that goes on evenly need not be heard one by one, and are counted all the
same. Must not keep the weight alive.
"""

from __future__ import annotations

import weakref
from typing import Final

import torch
from torch.optim.optimizer import Optimizer

_SURE: Final = 8
"""Steps in a row that must be alike."""

_PLAIN: Final = (torch.nn.Parameter, torch.Tensor)
"""Others might run code of their own where they are asked for their version."""


class Pulse:
    """Of the optimizer that ends iterations; every call while its steps are heard, or just were."""

    def __init__(self) -> None:
        self._weight: weakref.ref[torch.Tensor] | None = None
        self._version = 0
        self._each = 0
        """By how much a step raises the version."""
        self._alike = 0

    @property
    def even(self) -> bool:
        """Whether a step follows each backward, and raises the version by as much each time."""
        return self._alike >= _SURE

    def step(self, optimizer: Optimizer, backwards: int) -> None:
        """One was heard, after so many backwards; after none it ends no iteration."""
        raised = self._raised()
        if not backwards:
            return
        if raised is None:
            self._weight = _weight_of(optimizer)
            self._raised()
        if backwards == 1 and raised and raised == self._each:
            self._alike += 1
        else:
            self._each, self._alike = raised or 0, 0

    def steps(self, due: int) -> int:
        """How many there were since the last was heard, of so many that were due.

        Where that can't be told, as many as were due; of one alone the step is still to come.
        """
        raised = self._raised()
        steps, rest = divmod(raised or 0, self._each)
        if steps == due and not rest:
            return due
        self._alike = 0
        if raised == 0 and due == 1:
            return 0
        return due if rest or not steps else min(steps, due)

    def rest(self) -> None:
        """Steps were counted by other means meanwhile."""
        self._raised()

    def _raised(self) -> int | None:
        """By how much the version has risen since it was last asked for."""
        weight = self._weight() if self._weight is not None else None
        if weight is None:
            return None
        before, self._version = self._version, weight._version  # noqa: SLF001
        return self._version - before


def _weight_of(optimizer: Optimizer) -> weakref.ref[torch.Tensor] | None:
    """The first that it changes."""
    for group in optimizer.param_groups:
        for weight in group["params"]:
            if type(weight) in _PLAIN and weight.is_leaf and weight.grad is not None:
                return weakref.ref(weight)
    return None
