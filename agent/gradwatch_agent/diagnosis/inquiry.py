"""Finds out where a fault is, when one is about to be told: which part of the agent to ask.

Owns what must be looked at beforehand (names at an iteration's end, sizes of containers) and how
often. Runs in the training thread, on suspicion only.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable
from typing import TypeVar

from gradwatch_agent import wire
from gradwatch_agent.diagnosis.chain.carriers import Carriers
from gradwatch_agent.diagnosis.chain.chains import of_chain
from gradwatch_agent.diagnosis.chain.wayback import way_back
from gradwatch_agent.diagnosis.climbing import Climbing
from gradwatch_agent.diagnosis.gradients import cleared_unseen, of_uncleared
from gradwatch_agent.diagnosis.held.holding import of_held
from gradwatch_agent.diagnosis.retained import of_retained
from gradwatch_agent.diagnosis.searches import Searches
from gradwatch_agent.diagnosis.unused import Vain
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.gradients import Gradients
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.reached import Crossing, serial_of
from gradwatch_agent.graph.tally import Tally
from gradwatch_agent.guard import Guard
from gradwatch_agent.kept.proofs import Proofs
from gradwatch_agent.kept.unspent import of_dead
from gradwatch_agent.lines.capture import Window
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.lines.witness import Witness
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts import Answer, Verdicts

Answered = TypeVar("Answered")

_NAMED = 3
"""Iterations at whose end the names of tensors are noted: a second backward fails in the next."""

_CLOSELY = 64
"""Iterations of a run that may be looked at closely because a chain shows: a job that only ever
reaches a bounded way back shows one all the time."""

_LATE = 16
"""Iteration from which on a chain has not begun with training: by then one that had is told."""


class Inquiry:
    """Of one training thread. `thorough`: a check, where looking costs nothing."""

    def __init__(
        self,
        verdicts: Verdicts,
        lineage: Lineage,
        census: Census,
        window: Window,
        guard: Guard,
        *,
        thorough: bool,
    ) -> None:
        self._verdicts = verdicts
        self._lineage = lineage
        self._census = census
        self._window = window
        self._guard = guard
        self.thorough = thorough
        self._carriers = Carriers(serial_of)
        self._witness = Witness(guard, thorough=thorough)
        self._chain_again = False
        """Something was seen since the chain's answer was found."""
        self._crossed: frozenset[int] = frozenset()
        """The stale nodes by which it was sought in this iteration, by their serials."""
        self._answered = False
        """Whether it was known before this iteration."""
        self.gradients = Gradients()
        self._left_in_grad: Site | None = None
        """Where backward(create_graph=True) last left a graph in .grad."""
        self._closely = _CLOSELY
        self._named = _CLOSELY
        self._searches = Searches(thorough=thorough)
        self._climbing = Climbing(verdicts, self._searches, guard)
        self.proofs = Proofs(verdicts.detectors, lineage, census, self._searches, guard)
        self._vain = Vain(census, window)

    def suspicious(self) -> bool:
        """Whether the next iteration should be counted at any cost: only so many are."""
        if self._witness.watches or self._vain.seeks:
            return True
        if not (self._verdicts.detectors.suspicious or self._chain_again) or not self._closely:
            return False
        self._closely -= 1
        return True

    def asked_for(self, nodes: list[Node]) -> None:
        """A backward is to give the gradients of what these made."""
        self._carriers.asked.update(map(serial_of, nodes))

    def left_in_grad(self, site: Site | None) -> None:
        """A backward has just left a graph in .grad."""
        self._left_in_grad = site
        self._verdicts.detectors.learn_left_in_grad()

    def ask(self, question: Callable[..., Answered], *about: object) -> Answered | None:
        """The answer to a question about a fault; None if finding it failed."""
        return self._guard.call("diagnosis", question, *about)

    @property
    def notes_lines(self) -> bool:
        """Whether the lines that build this iteration's graph are noted."""
        return bool(self._window.notes())

    @property
    def wants_chain(self) -> bool:
        """Whether it should now be found out, or found out again, who carries the chain."""
        return self._verdicts.wants_answer or self._chain_again or bool(self._crossed)

    def learn_chain(
        self, crossings: tuple[Crossing, ...], roots: list[Node], *, walked: bool
    ) -> None:
        """What the verdicts say of the chain that these crossings show; of several backwards of an
        iteration the first, or a later one that crosses there and elsewhere besides. `walked`: it
        goes on there.
        """
        self._chain_again = False
        serials = frozenset(crossing.serial for crossing in crossings)
        if not serials > self._crossed:
            return
        before = self._verdicts.answers.get("graph-chain")
        answer = self.chain(crossings, roots, walked=walked)
        self._answered = before is not None and (self._answered or not self._crossed)
        self._crossed = serials
        if before is None or not self._answered or before.holder == answer.holder:
            self._verdicts.learn("graph-chain", answer)

    def chain(
        self,
        crossings: tuple[Crossing, ...],
        roots: list[Node],
        *,
        constant: str = "",
        freed: bool = False,
        walked: bool = True,
    ) -> Answer:
        """Who carries stale nodes into this iteration, and by which way a backward meets them."""
        late = self._lineage.current >= _LATE
        ask = functools.partial(
            of_chain,
            constant=constant,
            freed=freed,
            late=late,
            walked=walked,
            in_grad=self._left_in_grad,
        )
        answer = self.ask(ask, crossings, self._carriers, roots, self._witness.stored) or Answer()
        way = self.ask(way_back, roots, self._lineage) or ()
        return dataclasses.replace(answer, way=way)

    def iteration_over(self) -> None:
        """Before anything else is done at its end."""
        self._crossed, self._answered = frozenset(), False
        self._guard.call("witness", self._witness.end)

    def rest(self) -> None:
        """Nothing of it stays in the user's frames."""
        self.iteration_over()
        self._guard.call("diagnosis", self._carriers.calls.clear, sys._getframe())  # noqa: SLF001
        self._climbing.end()

    def took_between_s(self) -> float:
        """What was done in between, amid the user's own lines, in seconds."""
        took_s, self._witness.took_s = self._witness.took_s, 0.0
        return took_s

    def prepare(self, tally: Tally, record: wire.Iteration) -> None:
        """Before a record's findings are told: answers for those that are about to be."""
        verdicts = self._verdicts
        self._climbing.prepare(record, thorough=self.thorough)
        if self._witness.news:
            self._learn_what_was_seen(tally)
        if "graph-held" in verdicts.grown:
            self.recount()
        self._vain.seeks = False
        for kind in verdicts.untold:
            if kind == "graph-unused" and self.proofs.waits():
                verdicts.detectors.learn_wanted()
            elif kind == "graph-unused" and not self._vain.shows(tally, record):
                self._vain.seeks = True
            elif kind == "graph-unused" and self._vain.are_alternatives(tally):
                verdicts.detectors.learn_wanted()
            elif kind == "grads-accumulate" and self.ask(cleared_unseen):
                verdicts.detectors.learn_unseen()
            elif kind not in verdicts.answers or verdicts.hinted(kind):
                answer = self._guard.call("diagnosis", self._answer, kind, tally)
                verdicts.learn(kind, answer or Answer())
        verdicts.later = frozenset({"graph-unused"} if self._vain.seeks else ())

    def _learn_what_was_seen(self, tally: Tally) -> None:
        """Answers given already, now that the statement was seen that stores."""
        self._witness.news = False
        self._chain_again = "graph-chain" in self._verdicts.answers
        held = self._verdicts.answers.get("graph-held")
        again = self._guard.call("diagnosis", self._answer, "graph-held", tally) if held else None
        if held and again is not None and again.holder == held.holder:
            self._verdicts.learn("graph-held", again)

    def recount(self) -> None:
        """How many elements of a collection keep them by now."""
        known = self._verdicts.answers.get("graph-held")
        if known is not None and known.many:
            many = self._guard.call("diagnosis", known.counted) or ""
            self._verdicts.learn("graph-held", dataclasses.replace(known, many=many))

    def _answer(self, kind: str, tally: Tally) -> Answer:
        match kind:
            case "graph-held":
                return self._held()
            case "graph-unused":
                return self._vain.answer(tally)
            case "retain-needless":
                return of_retained(tally.needless[-1] if tally.needless else ())
            case "grads-accumulate":
                return of_uncleared(self.gradients.site)
            case "memory-climb" | "oom-forecast":
                return self._climbing.answer(kind)
        return Answer()

    def _held(self) -> Answer:
        if self._verdicts.holds_dead and self._left_in_grad is None:
            young = self._verdicts.detectors.dead_young
            return of_dead(self._lineage, self._witness.stored, young=young)
        return of_held(self._lineage, self._left_in_grad, self._witness.stored)

    def watch_closely(self, iteration: int) -> None:
        """In the first iterations, while a chain shows, while it is seen who stores: notes lines
        and names.
        """
        unexplained = self._named > 0 and (
            self._chain_again
            or (self._verdicts.detectors.suspicious and "graph-chain" not in self._verdicts.answers)
        )
        self._named -= unexplained
        self._window.iteration_ended()
        if unexplained or self._vain.seeks or self.thorough:
            self._window.open(1)
        early = self.thorough or iteration < _NAMED
        if unexplained or (early and self._searches.may_note):
            closely = unexplained or (self.thorough and iteration < _NAMED)
            remember = functools.partial(self._carriers.remember, closely=closely)
            with self._searches.timed():
                self._guard.call("diagnosis", remember)
        else:
            self._carriers.calls.lapse()
        self._guard.call("witness", self._witness.begin)
        if self._witness.watches:
            self._window.open(1)  # what is stored is to tell where it was made
