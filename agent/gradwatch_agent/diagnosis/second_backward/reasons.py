"""Why a backward walks what an earlier one has freed: the sources of an answer, the surest first.

Runs in the training thread, within the call that fails.
"""

from __future__ import annotations

import dataclasses
import functools
import sys

from gradwatch_agent.diagnosis.carried_within import carried_within
from gradwatch_agent.diagnosis.inquiry import Inquiry
from gradwatch_agent.diagnosis.place.at_line import loss_of
from gradwatch_agent.diagnosis.repeated import Explained
from gradwatch_agent.diagnosis.second_backward.again import of_again, of_closure
from gradwatch_agent.diagnosis.second_backward.called import name_of_one
from gradwatch_agent.diagnosis.second_backward.constant import why_constant
from gradwatch_agent.diagnosis.second_backward.sharing import of_sharing
from gradwatch_agent.diagnosis.second_backward.untangling import is_given_nothing
from gradwatch_agent.graph.passes import Passes
from gradwatch_agent.graph.reached import Look
from gradwatch_agent.lines.sites import Site, call_sites
from gradwatch_agent.torch_seam import LEAF, Pass, sequence_of
from gradwatch_agent.verdicts import Answer

_CARRIED = (
    "What carries them is not known by any name that was noted; `gradwatch check` notes names in "
    "every iteration."
)
"""Not the call that fails: it only meets them."""

_ROUND_AGO = "They come from an earlier round of a loop within it."


class Reasons:
    """Of one training thread."""

    def __init__(self, inquiry: Inquiry, passes: Passes) -> None:
        self._inquiry = inquiry
        self._passes = passes

    def of(self, look: Look, run: Pass, *, here: bool) -> Explained:
        """What is told of it. `here`: what was freed was built in this iteration."""
        answer = self._outside(look, run) or self._shared(look, run, here=here)
        if here and _is_at_call(answer, run.site) and (own := self._carried(look, run)) is not None:
            return Explained(own, _ROUND_AGO)
        carried = (answer is None or answer.holder is None) and look.fresh > 0 and bool(look.users)
        if carried:
            trained = self._passes.trained(look.freed) if look.freed is not None else ()
            constant = self._inquiry.ask(why_constant, look, run.roots, trained) or ""
            chain = self._inquiry.chain(look.crossings(), run.roots, constant=constant, freed=True)
            if answer is None or (chain is not None and chain.holder is not None):
                answer = chain
        if answer is None or answer.line is None:
            answer = self._again(look, run, here=here)
        if here and answer is not None and answer.holder is None:
            name = self._inquiry.ask(name_of_one, run.roots)
            answer = dataclasses.replace(answer, holder=name)
        if carried and (answer is None or answer.line is None):
            return Explained(None, _CARRIED, at_call=False)
        return Explained(answer)

    def _carried(self, look: Look, run: Pass) -> Answer | None:
        """Where an earlier round of the loop that is of the same iteration has handed on what it
        freed.
        """
        lines = call_sites(sys._getframe())  # noqa: SLF001
        earlier = self._passes.earlier(look.freed, lines, run.roots) if look.freed else None
        if earlier is None:
            return None
        answer = carried_within(self._inquiry, run.roots, earlier.sequence, freed=True)
        of_loss = answer is not None and answer.holder == loss_of(run.site)
        return answer if not of_loss else None  # a sum of losses, each walked as it grows

    def _shared(self, look: Look, run: Pass, *, here: bool) -> Answer | None:
        """Where an earlier backward, by another statement, walked what is needed now. `here`: what
        it freed was built in this iteration.
        """
        if look.freed is None:
            return None
        lines = call_sites(sys._getframe())  # noqa: SLF001
        earlier = self._passes.earlier(look.freed, lines, run.roots)
        if earlier is None:
            return None
        alike = earlier.lines[0] == lines[0]
        if not here and alike and earlier.site != run.site and is_given_nothing(lines[0]):
            return None  # one loss, an iteration ago, is not two, whoever has it walked
        came_round = self._passes.came_round(sequence_of(look.freed), lines)
        if not (here or alike) and (came_round or earlier.again):
            return None  # it was put by a round ago, whichever loss walked it then
        shared = functools.partial(of_sharing, lines=lines, here=here)
        return self._inquiry.ask(shared, run.roots, run.site, earlier)

    def _outside(self, look: Look, run: Pass) -> Answer | None:
        """Where what an optimizer's closure walks again and again was built outside of it."""
        lines = call_sites(sys._getframe())  # noqa: SLF001
        since = self._since(look)
        answer = self._inquiry.ask(of_closure, run.roots, lines, since) if lines else None
        return answer if answer is not None and answer.line is not None else None

    def _again(self, look: Look, run: Pass, *, here: bool) -> Answer | None:
        """Where an earlier backward, by this statement or one that is not known, did so."""
        again = functools.partial(of_again, passes=self._passes, here=here)
        return self._inquiry.ask(again, run.roots, run.site, self._since(look))

    def _since(self, look: Look) -> int:
        """Where the numbering of nodes stood when what is needed now was freed."""
        return self._passes.walked_at if look.failed else LEAF


def _is_at_call(answer: Answer | None, site: Site | None) -> bool:
    """Whether nothing better is told than the line of the failing backward."""
    if answer is None or answer.line is None or site is None:
        return True
    return (answer.file, answer.line) == (site.file, site.line)
