"""Who has carried over, within one iteration, what a backward that fails should not have met."""

from __future__ import annotations

from gradwatch_agent.diagnosis.chain.rounds import carried_since, successor, within_the_iteration
from gradwatch_agent.diagnosis.inquiry import Inquiry
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts import Answer


def carried_within(
    inquiry: Inquiry, roots: list[Node], sequence: int, *, freed: bool = False
) -> Answer | None:
    """What was built until the numbering stood at `sequence`, by the name that carries it; None if
    no round has come again since, or no name is known. `freed`: an earlier backward has.
    """
    crossings = inquiry.ask(carried_since, roots, sequence)
    answer = inquiry.chain(crossings, roots, freed=freed) if crossings else None
    if answer is not None and answer.holder is None:
        answer = inquiry.ask(successor, roots, sequence)
    if answer is None or answer.holder is None:
        return None
    return within_the_iteration(answer)
