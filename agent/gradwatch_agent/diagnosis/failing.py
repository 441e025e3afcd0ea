"""Backwards that fail: foreseen before the engine runs, or explained after it raised.

Owns what is told of them and the note on the exception. Runs in the training thread.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from gradwatch_agent import torch_seam, wire
from gradwatch_agent.diagnosis.carried_within import carried_within
from gradwatch_agent.diagnosis.explaining import explain
from gradwatch_agent.diagnosis.graphless import of_graphless
from gradwatch_agent.diagnosis.inplace.modified import of_inplace
from gradwatch_agent.diagnosis.inplace.stepped import told_elsewhere
from gradwatch_agent.diagnosis.inquiry import Inquiry
from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.diagnosis.repeated import Explained, Repeated
from gradwatch_agent.diagnosis.second_backward.again import of_again, of_closure
from gradwatch_agent.diagnosis.second_backward.called import name_of_one
from gradwatch_agent.diagnosis.second_backward.constant import why_constant
from gradwatch_agent.diagnosis.second_backward.nested import of_nested
from gradwatch_agent.diagnosis.second_backward.sharing import of_sharing
from gradwatch_agent.diagnosis.second_backward.untangling import is_given_nothing
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.passes import Passes
from gradwatch_agent.graph.reached import Look, TooLarge
from gradwatch_agent.lines.sites import Lines, Site, call_sites, raised_at
from gradwatch_agent.torch_seam import LEAF, Pass, sequence_of
from gradwatch_agent.verdicts import Answer, Case, Verdicts
from gradwatch_agent.verdicts.failure import (
    Doom,
    inplace_modified,
    second_backward,
)

_CARRIED = (
    "What carries them is not known by any name that was noted; `gradwatch check` notes names in "
    "every iteration."
)
"""Not the call that fails: it only meets them."""

_ROUND_AGO = "They come from an earlier round of a loop within it."

_Told: TypeAlias = tuple[Case, Answer | None, Site | None]
"""What is told, and of where nothing better is known, the call itself."""


class Failing:
    """Of one training thread."""

    def __init__(
        self,
        verdicts: Verdicts,
        census: Census,
        inquiry: Inquiry,
        post: Callable[[wire.Message], None],
    ) -> None:
        self._verdicts = verdicts
        self._census = census
        self._inquiry = inquiry
        self._post = post
        self.passes = Passes()
        self._repeated = Repeated(thorough=inquiry.thorough)
        self._foreseen: tuple[tuple[int, Lines], _Told] | None = None
        """In which iteration and by which call the last was that was walked a second time."""
        self._open: set[str] = set()
        """What was told of and not taken back, by the findings' names."""

    def foresee(self, look: Look, run: Pass, at_s: float, iteration: int) -> wire.Finding:
        """Tells that this backward must fail, why, and where; unless that is no news. What the same
        call has freed before it failed in this very iteration, which no step has ended, is no fault
        of its own.
        """
        call = call_sites(sys._getframe())  # noqa: SLF001
        if self._foreseen is None or self._foreseen[0] != (iteration, call):
            here = look.freed_generation == iteration
            case = second_backward(_doom(look, iteration))
            why = functools.partial(self._why, look, run, here=here)
            found = self._repeated.explain(case.kind, call, why)
            self._foreseen = (iteration, call), _explained(case, found, run)
        return self._tell(*self._foreseen[1], at_s, iteration)

    def _why(self, look: Look, run: Pass, *, here: bool) -> Explained:
        """`here`: what was freed was built in this iteration."""
        answer = self._outside(look, run) or self._shared(look, run, here=here)
        if here and _is_at_call(answer, run.site) and (own := self._carried(look, run)) is not None:
            return Explained(own, _ROUND_AGO)
        carried = (answer is None or answer.holder is None) and look.fresh > 0 and bool(look.users)
        if carried:
            trained = self.passes.trained(look.freed) if look.freed is not None else ()
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
        earlier = self.passes.earlier(look.freed, lines, run.roots) if look.freed else None
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
        earlier = self.passes.earlier(look.freed, lines, run.roots)
        if earlier is None:
            return None
        alike = earlier.lines[0] == lines[0]
        if not here and alike and earlier.site != run.site and is_given_nothing(lines[0]):
            return None  # one loss, an iteration ago, is not two, whoever has it walked
        came_round = self.passes.came_round(sequence_of(look.freed), lines)
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
        again = functools.partial(of_again, passes=self.passes, here=here)
        return self._inquiry.ask(again, run.roots, run.site, self._since(look))

    def _since(self, look: Look) -> int:
        """Where the numbering of nodes stood when what is needed now was freed."""
        return self.passes.walked_at if look.failed else LEAF

    def averted(self, doom: wire.Finding) -> None:
        """It went through all the same."""
        self._foreseen = None
        if doom.id in self._open:
            self._open.discard(doom.id)
            self._post(msgspec.structs.replace(doom, state="resolved"))

    def failed(
        self,
        run: Pass,
        error: BaseException,
        doom: wire.Finding | None,
        at_s: float,
        iteration: int,
    ) -> None:
        """Explains the error in a note of its own, and on the wire before anyone dies of it."""
        text = str(error)
        found = doom
        if found is None and torch_seam.SECOND_TIME in text:
            found = self._within(error, at_s, iteration)
            found = found or self.foresee(self._autopsy(run, freed=True), run, at_s, iteration)
        elif found is None and torch_seam.INPLACE in text:
            found = self._changed(run, text, at_s, iteration)
        elif found is None and torch_seam.NO_GRAPH in text:
            # No finding yet: the script may catch it. If not, it is why training crashed.
            self._explain_graphless(run, error, text)
        if found is not None:
            explain(error, found.message, found)

    def _explain_graphless(self, run: Pass, error: BaseException, text: str) -> None:
        call = call_sites(sys._getframe())  # noqa: SLF001
        why = functools.partial(self._why_graphless, run, text)
        found = self._repeated.explain("crashed", call, why)
        explain(error, found.word, found.answer or Answer())

    def _why_graphless(self, run: Pass, text: str) -> Explained:
        answer, word = self._inquiry.ask(_graphless_here, text) or (Answer(), "")
        word = word or "backward was called on a tensor that has no graph."
        return Explained(answer if answer.line is not None else at(run.site), word)

    def _within(self, error: BaseException, at_s: float, iteration: int) -> wire.Finding | None:
        """Where it was raised by a backward that this one runs: of a custom Function's own."""
        inner = raised_at(error)
        answer = self._inquiry.ask(of_nested, inner) if inner is not None else None
        if answer is None or answer.line is None:
            return None
        case = second_backward(Doom(iteration, built=None, node=""))
        message = f"{case.message} It is one that this backward runs itself."
        return self._tell(dataclasses.replace(case, message=message), answer, None, at_s, iteration)

    def _changed(self, run: Pass, text: str, at_s: float, iteration: int) -> wire.Finding:
        """Tells which statement changed in place what this backward needs."""
        case = inplace_modified(iteration, text)
        call = call_sites(sys._getframe())  # noqa: SLF001
        why = functools.partial(self._who_changed, run, call, iteration)
        found = self._repeated.explain(case.kind, call, why)
        return self._tell(*_explained(case, found, run), at_s, iteration)

    def _who_changed(self, run: Pass, lines: Lines, iteration: int) -> Explained:
        changed = self._inquiry.ask(of_inplace, run.roots, run.site, self.passes, lines)
        if changed is None:
            return Explained(Answer(), at_call=False)
        answer, word = changed.answer, changed.word
        look = self._autopsy(run) if changed.carried else Look()
        if look.carries(iteration) or (changed.heard and look.fresh and look.users):
            answer = self._inquiry.chain(look.crossings(), run.roots)
            word = told_elsewhere(changed)
        elif changed.stepped_at is not None:
            own = carried_within(self._inquiry, run.roots, changed.stepped_at)
            answer, word = (own, told_elsewhere(changed)) if own is not None else (answer, word)
        return Explained(answer, word, at_call=False)

    def _autopsy(self, run: Pass, *, freed: bool = False) -> Look:
        """After a failure that was not foreseen, because this iteration was not counted. What is of
        this iteration may have been freed by the failing backward itself: it is the last to be
        asked.
        """
        look = Look()
        try:
            look = self._census.look(run.roots, check_new=False, failed=freed)
            if freed and look.freed is None:
                look = self._census.look(run.roots, check_new=True, failed=True, marks=False)
        except TooLarge:
            pass
        return look

    def _tell(
        self, case: Case, answer: Answer | None, site: Site | None, at_s: float, iteration: int
    ) -> wire.Finding:
        """Posts a fault of this backward; where nothing better is known, at the call itself."""
        if answer is not None and answer.line is not None:
            lines = call_sites(sys._getframe())  # noqa: SLF001
            noted = self._inquiry.notes_lines
            case = self._repeated.as_before(case.kind, answer, lines, noted=noted).explain(case)
        else:
            call = at(site, holder=answer.holder if answer is not None else None)
            call = _where_kept(self._verdicts.kept(case) if site else None) or call
            case = call.explain(case) if call.holder else dataclasses.replace(case, **call.known)
        found, news = self._verdicts.event(case, at_s, iteration)
        if news:
            self._open.add(found.id)
            self._post(found)
            for hint in self._verdicts.absorbed(at_s):
                self._post(hint)
        return found


def _is_at_call(answer: Answer | None, site: Site | None) -> bool:
    """Whether nothing better is told than the line of the failing backward."""
    if answer is None or answer.line is None or site is None:
        return True
    return (answer.file, answer.line) == (site.file, site.line)


def _explained(case: Case, why: Explained, run: Pass) -> _Told:
    case = dataclasses.replace(case, message=f"{case.message} {why.word}".strip())
    return case, why.answer, run.site if why.at_call else None


def _graphless_here(text: str) -> tuple[Answer, str]:
    return of_graphless(sys._getframe(), text)  # noqa: SLF001


def _where_kept(hint: Case | None) -> Answer | None:
    """The place of what was told to keep the graph before a backward met it again."""
    if hint is None or hint.line is None:
        return None
    return Answer(hint.file, hint.line, hint.code, hint.holder)


def _doom(look: Look, iteration: int) -> Doom:
    return Doom(
        iteration=iteration,
        built=look.freed_generation,
        node=type(look.freed).__name__ if look.freed is not None else "",
        stale=look.stale,
        reached=look.fresh + look.stale + look.leaves,
        fresh=look.fresh > 0,
    )
