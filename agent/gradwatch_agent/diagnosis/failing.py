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
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.repeated import Explained, Repeated
from gradwatch_agent.diagnosis.second_backward.nested import of_nested
from gradwatch_agent.diagnosis.second_backward.reasons import Reasons
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.passes import Passes
from gradwatch_agent.graph.reached import Look, TooLarge
from gradwatch_agent.lines.sites import Lines, Site, call_sites, raised_at
from gradwatch_agent.torch_seam import Pass
from gradwatch_agent.verdicts import Answer, Case, Verdicts
from gradwatch_agent.verdicts.failure import (
    Doom,
    inplace_modified,
    second_backward,
)

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
        self._reasons = Reasons(inquiry, self.passes)
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
            why = functools.partial(self._reasons.of, look, run, here=here)
            found = self._repeated.explain(case.kind, call, why)
            self._foreseen = (iteration, call), _explained(case, found, run)
        return self._tell(*self._foreseen[1], at_s, iteration)

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
