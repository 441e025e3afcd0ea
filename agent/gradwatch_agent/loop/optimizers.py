"""Whether some optimizer is there to step what a backward reaches.

Asked once by a check, before an optimizer has stepped: then its iterations end at steps from the
very first one on. Elsewhere it is enough to know that one was ever made, which costs nothing; but
a check may share its process with trainings that are over, as tests do.
"""

from __future__ import annotations

from collections.abc import Collection

from gradwatch_agent.torch_seam import living_optimizers, optimizer_exists, stepped_by, storage_of


def optimizer_waits(reached: Collection[int]) -> bool:
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
