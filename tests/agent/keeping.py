"""Some iterations of a job that keeps its losses, and what is found of them."""

from __future__ import annotations

from collections.abc import Callable

import torch

from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.kept.keeping import Kept, look
from gradwatch_agent.torch_seam import sequence_number

HELD = 7


def trained(
    keep: Callable[[int, torch.Tensor], None], *, retained: bool = False, iterations: int = HELD
) -> Lineage:
    """Some iterations of a job that keeps its losses."""
    lineage = Lineage(sequence_number())
    weight = torch.ones(3, requires_grad=True)
    for number in range(iterations):
        loss = (weight * weight).sum()
        lineage.mark(loss.grad_fn)
        loss.backward(retain_graph=retained)
        if not retained:
            lineage.spend(number)
        with torch.no_grad():
            weight -= 0.1
        keep(number, loss)
        lineage.next_pass()
        lineage.begin(sequence_number())
    return lineage


def kept(keep: Callable[[int, torch.Tensor], None]) -> Kept:
    return look(trained(keep), {})
