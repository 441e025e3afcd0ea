"""Whether some optimizer is there to step what a backward reaches, and whether more are to step.

Asked by a check, before an optimizer has stepped: then its iterations end at steps from the very
first one on. Elsewhere it is enough to know that one was ever made, which costs nothing; but a
check may share its process with trainings that are over, as tests do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import torch
from torch.optim import Optimizer

from gradwatch_agent.torch_seam import living_optimizers, optimizer_exists, stepped_by, storage_of

_ASKED: Final = 8
"""Backwards at whose start it is asked, where the first leave it open."""


class Awaited:
    """The first step of an optimizer."""

    def __init__(self) -> None:
        self.comes: bool | None = None
        """Whether there is one for what the first backwards reach; None: that is open."""
        self._asked = 0
        self._stepped: set[frozenset[int]] = set()
        """The storages of what each optimizer steps that has in the first iteration."""

    def more_than(self, optimizer: Optimizer) -> bool:
        """The optimizer steps in the first iteration. Whether another one lives that trains what
        none has stepped yet, or by itself what was stepped together with other weights: it may be
        its turn, as a generator's after its critic's. Takes some tens of ms.
        """
        self._stepped.add(_storages(stepped_by(optimizer)))
        trained = (each for each in map(stepped_by, living_optimizers()) if _is_trained(each))
        return any(_storages(each) not in self._stepped for each in trained)

    def ask(self, reached: Collection[int], *, more: bool) -> None:
        """A backward is about to start; `reached` are the addresses of its leaves' storages.

        The very first may reach copies that no optimizer has, and leave it to the next ones to
        reach what they were copied from: `more` was built.
        """
        if self.comes is not None:
            return
        self._asked += 1
        if _optimizer_waits(reached):
            self.comes = True
        elif not more or self._asked >= _ASKED:
            self.comes = False


def _optimizer_waits(reached: Collection[int]) -> bool:
    """Whether an optimizer lives that has any of the leaves whose storages are at `reached`; or
    such as want no gradient at the moment, as where an energy's samples are drawn ahead of a step.

    Takes some tens of ms.
    """
    if not optimizer_exists():
        return False
    return any(
        not parameter.requires_grad or storage_of(parameter) in reached
        for optimizer in living_optimizers()
        for parameter in stepped_by(optimizer)
    )


def _is_trained(parameters: Iterable[torch.Tensor]) -> bool:
    return any(each.requires_grad for each in parameters)


def _storages(parameters: Iterable[torch.Tensor]) -> frozenset[int]:
    return frozenset(map(storage_of, parameters))
