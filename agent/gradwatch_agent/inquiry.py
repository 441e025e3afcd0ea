"""Finds out where a fault is, when one is about to be told: which part of the agent to ask.

Owns what must be looked at beforehand (names at an iteration's end, sizes of containers, dead
graphs) and how often. Runs in the training thread, on suspicion only.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import msgspec

from gradwatch_agent import wire
from gradwatch_agent.capture import Window
from gradwatch_agent.census import Census, Crossing
from gradwatch_agent.diagnosis import Carriers, at, in_a_cycle, of_chain, of_held, of_unused
from gradwatch_agent.gradients import Gradients
from gradwatch_agent.growth import Growth
from gradwatch_agent.guard import Guard
from gradwatch_agent.lineage import Lineage
from gradwatch_agent.sites import Site
from gradwatch_agent.tally import Tally
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.unspent import dead_graphs
from gradwatch_agent.verdicts import Answer, Verdicts
from gradwatch_agent.wayback import way_back

_NAMED = 3
"""Iterations at whose end the names of tensors are noted: a second backward fails in the next."""

_CLOSELY = 64
"""Iterations of a run that may be looked at closely because a chain shows: a job that only ever
reaches a bounded way back shows one all the time."""

_UNREACHED = 8
"""Iterations with unreached nodes after which dead graphs are looked for; each look doubles it."""

_SETTLED = 16
"""Iteration of a check in which containers are first weighed."""


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
        self._thorough = thorough
        self._carriers = Carriers(census.serial)
        self._growth = Growth()
        self.gradients = Gradients()
        self._left_in_grad: Site | None = None
        """Where backward(create_graph=True) last left a graph in .grad."""
        self._closely = _CLOSELY
        self._named = _CLOSELY
        self._unreached = 0
        """Iterations, since the last look for dead graphs, that built what no backward reached."""
        self._next_look = _UNREACHED
        self._who_keeps: Callable[[], Answer] = self._held

    def suspicious(self) -> bool:
        """Whether the next iteration should be counted at any cost: only so many are."""
        if not self._verdicts.suspicious or not self._closely:
            return False
        self._closely -= 1
        return True

    def left_in_grad(self, site: Site | None) -> None:
        """A backward has just left a graph in .grad."""
        self._left_in_grad = site

    def chain(self, crossings: tuple[Crossing, ...], roots: list[Node]) -> Answer:
        """Who carries stale nodes into this iteration, and by which way a backward meets them."""
        answer = self._guard.call("diagnosis", of_chain, crossings, self._carriers) or Answer()
        way = self._guard.call("diagnosis", way_back, roots, self._lineage) or ()
        return dataclasses.replace(answer, way=way)

    def prepare(self, tally: Tally, record: wire.Iteration) -> None:
        """Before a record's findings are told: answers for those that are about to be."""
        verdicts = self._verdicts
        if not self._growth.looked and (
            verdicts.climbing or (self._thorough and record.number == _SETTLED)
        ):
            self._guard.call("diagnosis", self._growth.look)
        for kind in verdicts.untold:
            if kind not in verdicts.answers:
                answer = self._guard.call("diagnosis", self._answer, kind, tally)
                verdicts.learn(kind, answer or Answer())

    def _answer(self, kind: str, tally: Tally) -> Answer:
        match kind:
            case "graph-held":
                return self._who_keeps()
            case "graph-unused":
                return self._unused(tally)
            case "retain-needless":
                return at(tally.retained[-1] if tally.retained else None)
            case "grads-accumulate":
                return at(self.gradients.site)
            case "memory-climb" | "oom-forecast":
                return self._growth.answer()
        return Answer()

    def _held(self) -> Answer:
        answer = of_held(self._lineage.current)
        unnamed = answer.holder is None or answer.holder.endswith(".grad")
        if unnamed and self._left_in_grad is not None:
            return in_a_cycle(self._left_in_grad)
        return answer

    def _unused(self, tally: Tally) -> Answer:
        created = tally.in_vain(self._census.reached_among)
        if created is not None:
            advice = "Leave create_graph=True away: no backward walks the graph that it builds."
            return dataclasses.replace(at(created.site), suggestion=advice)
        return of_unused(self._lineage.start, self._census.reaches)

    def dead(self, record: wire.Iteration) -> wire.Iteration:
        """The record, with a look for dead graphs if for long enough some went unreached."""
        if record.number and record.unused:
            self._unreached += 1
        if self._unreached < self._next_look:
            return record
        self._unreached, self._next_look = 0, 2 * self._next_look
        found = self._guard.call("diagnosis", dead_graphs, self._lineage)
        if found is None:
            return record
        count, who_keeps = found
        self._who_keeps = who_keeps if count else self._held
        return msgspec.structs.replace(record, dead=count)

    def watch_closely(self, iteration: int) -> None:
        """In the first iterations, and while a chain shows: notes lines and names."""
        unexplained = (
            self._verdicts.suspicious
            and "graph-chain" not in self._verdicts.answers
            and self._named > 0
        )
        self._named -= unexplained
        self._window.iteration_ended()
        if unexplained or self._thorough:
            self._window.open(1)
        if unexplained or self._thorough or iteration < _NAMED:
            self._guard.call("diagnosis", self._carriers.remember)
