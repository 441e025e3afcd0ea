"""Weighs all cases against each other: which is the fault, and which its symptoms. Pure.

Owns the detectors of one job. What has been told of their cases, `telling` knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.verdicts.accounted import explains, with_forecast
from gradwatch_agent.verdicts.case import Answer, Case
from gradwatch_agent.verdicts.chain import Chain
from gradwatch_agent.verdicts.climb import Memories
from gradwatch_agent.verdicts.habits import Accumulating, Needless, Unused
from gradwatch_agent.verdicts.held import Dead, Held
from gradwatch_agent.verdicts.telling import Telling

_FILLS: Final = ("graph-chain", "graph-held", "memory-climb", "oom-forecast")
"""Faults that fill memory until it runs out."""


class Verdicts:
    """The findings of one job. One thread owns it."""

    def __init__(self, whose: wire.Hello, *, thorough: bool = False) -> None:
        self._telling = Telling(whose)
        self._chain = Chain()
        self._held = Held()
        self._retained = Held(retained=True)
        self._dead = Dead()
        self._memories = Memories(thorough=thorough)
        self._needless = Needless()
        self._unused = Unused()
        self._accumulating = Accumulating()
        self.answers: dict[str, Answer] = {}
        """What was found out about a fault of a kind; empty answers too."""
        self._iteration = 0
        self._why: Answer | None = None
        """What was found to grow while memory climbed."""
        self.later: frozenset[str] = frozenset()
        """Kinds that wait for an iteration that shows where they are."""
        self._failed: set[tuple[str | None, int | None]] = set()
        """The statements by which backwards have failed: file and line."""
        self._come_back = False
        """Whether the last backward that failed has come back to what was told as dead."""
        self.spent_suspected = self.retained_suspected = False
        """What the last look at the counts made of them."""

    @property
    def suspicious(self) -> bool:
        """Whether the graphs of the next iterations should be counted, whatever it costs."""
        return self._chain.near

    @property
    def explains(self) -> bool:
        """Whether a chain is told: that graphs live on is no news then."""
        return self._chain.case() is not None

    @property
    def gathers(self) -> bool:
        """Whether the next iteration should be looked at, if only in passing."""
        return self._held.gathers or self._retained.gathers

    @property
    def calm(self) -> bool:
        """Whether no finding is open."""
        return not self._telling.open

    def suspects(self, held: int, live: int = 0) -> bool:
        """Whether so many held and live generations call for a look at what keeps them."""
        self.spent_suspected = self._held.suspects(held, live)
        self.retained_suspected = not self._chain.active and self._retained.suspects(held, live)
        return self.spent_suspected or self.retained_suspected

    @property
    def early(self) -> bool:
        """Whether so few are held that names alone can prove anything."""
        return self._held.early and not self.retained_suspected

    def learn_kept(self, room: int, *, sure: bool, wanted: bool, endless: bool) -> None:
        """What a look at the names says: how many may be kept so, whether that is known, whether
        those that were retained may be wanted, and whether ever more will be kept.
        """
        self._held.endless = endless
        self._held.room = self._retained.room = room
        self._held.sure = self._retained.sure = sure
        self._retained.wanted = wanted

    def learn_dead(
        self, room: int, *, sure: bool, since: int, early: bool, endless: bool = False
    ) -> None:
        """How many dead graphs may be kept so, whether that is known, how old the oldest is,
        whether somebody may yet come back to them, and whether ever more will be kept.
        """
        self._dead.room, self._dead.sure, self._dead.since = room, sure, since
        self._dead.early, self._dead.endless = early, endless

    def learn_left_in_grad(self) -> None:
        """A backward has left its graph in .grad."""
        self._retained.hasten()

    def learn_waiting(self) -> None:
        """Graphs that no backward has reached yet are gathered: one will come."""
        self._unused.waits = True

    def learn_unseen(self) -> None:
        """The program clears gradients in a way that cannot be seen."""
        self._accumulating.unseen = True

    @property
    def holds_dead(self) -> bool:
        """Whether what is held are graphs that nobody freed and no backward can use."""
        return self._graph()[0] is self._dead

    @property
    def dead_young(self) -> bool:
        """Whether none of those need be old."""
        return self._dead.early or self._dead.endless

    @property
    def looks_dead(self) -> bool:
        """Whether graphs are kept that no backward can use, told or not."""
        case = self._dead.case()
        return self._dead.uneasy and (case is None or case.level == "info")

    @property
    def wants_answer(self) -> bool:
        """Whether it should now be found out who carries the chain that shows."""
        return self._chain.firm and "graph-chain" not in self.answers

    def learn(self, kind: str, answer: Answer) -> None:
        """Where a fault of that kind is, and what to change."""
        self.answers[kind] = answer
        if kind == "graph-chain":
            self._chain.bounded, self._chain.window = answer.bounded, answer.window

    def iteration(self, record: wire.Iteration) -> list[wire.Finding]:
        """What the iteration changed."""
        self.see(record)
        return self.tell(record.at)

    def memory(self, sample: wire.Memory) -> list[wire.Finding]:
        """What the look at memory changed."""
        self.see_memory(sample)
        return self.tell(sample.at)

    def see(self, record: wire.Iteration) -> None:
        """Takes an iteration into account; `tell` says what it changed."""
        self._iteration = record.number
        self._chain.iteration(record)
        self._held.iteration(record)
        if not self._chain.active:
            self._retained.iteration(record)
        for habit in (self._dead, self._needless, self._unused, self._accumulating):
            habit.iteration(record)

    def see_memory(self, sample: wire.Memory) -> None:
        """Takes a look at memory into account; `tell` says what it changed."""
        self._memories.memory(sample)

    def learn_growth(self, why: Answer) -> None:
        """What was found to grow while memory climbed; it may show later that it has no end."""
        known, self._why = self.answers.get("memory-climb"), why
        if known is not None and known.fills and not why.fills and why.holder is not None:
            self.answers["memory-climb"] = why

    @property
    def climbs_high(self) -> bool:
        """Whether a climb is high enough to be told, if something explains it."""
        return any(climb.is_high or climb.case() for climb in self._memories.all)

    @property
    def climbing(self) -> bool:
        """Whether memory climbs, told yet or not: sizes should be compared."""
        return any(climb.slope_per_iteration for climb in self._memories.all)

    @property
    def untold(self) -> list[str]:
        """The kinds of the cases that the next `tell` will raise, or make an alarm of a hint."""
        return self._telling.news(self._weighed())

    @property
    def grown(self) -> list[str]:
        """The kinds of those that it will tell again: graver, elsewhere, or twice as many."""
        return self._telling.grown(self._weighed())

    def hinted(self, kind: str) -> bool:
        """Whether it was told before: what was found out about a hint was found early."""
        return kind in self._telling.open

    def event(self, case: Case, at: float, iteration: int) -> tuple[wire.Finding, bool]:
        """A fault that happened, and whether that is news."""
        self._failed.add((case.file, case.line))
        kept = case.kind == "inplace-modified" and self.holds_dead
        self._come_back = kept or self.kept(case) is not None
        return self._telling.event(case, at, iteration)

    def kept(self, case: Case) -> Case | None:
        """The hint that graphs are kept, if no more than so many, where an old one was walked."""
        hint = self._telling.open.get("graph-held") if case.walked is not None else None
        return hint if hint is not None and hint.level == "info" else None

    def absorbed(self, at: float) -> list[wire.Finding]:
        """What was the same fault as the one that has just happened, before a backward met it."""
        held = self._telling.open.get("graph-held")
        if held is None or not (self._come_back or self._has_failed(held)):
            return []
        return [self._telling.absorb(held.kind, at)]

    def _has_failed(self, case: Case) -> bool:
        """Whether it is that a statement keeps graphs by which a backward has failed."""
        keeps = case.kind == "graph-held" and case.line is not None
        return keeps and (case.file, case.line) in self._failed

    def tell(self, at: float) -> list[wire.Finding]:
        """What has changed since the last time; `at` in seconds since the epoch."""
        cases = {kind: case for kind, case in self._weighed().items() if kind not in self.later}
        if not cases and self.calm:
            return []
        bounded = {"graph-held"} if self._held.bounded or self._retained.bounded else ()
        changed = self._telling.tell(cases, at, self._iteration, bounded=bounded)
        for over in changed:
            if over.state == "resolved":
                self.answers.pop(over.kind, None)
        return changed

    def ran_out(self, at: float, iteration: int) -> wire.Finding | None:
        """Memory has run out: the open fault that has filled it, as the looks at it between the
        iterations show. Now it holds what the last one needs, too.
        """
        for kind, case in self._weighed().items():
            told = self._telling.open.get(kind)
            if kind not in _FILLS or told is None or "info" in (told.level, case.level):
                continue
            noticed = self._telling.noticed[kind]
            if any(climb.rose_since(noticed) for climb in self._memories.all):
                message = f"{case.message} Memory ran out in iteration {iteration}."
                case = replace(case, level="critical", message=message, eta_iterations=None)
                return self._telling.ended(case, at)
        return None

    def last(self, at: float) -> list[wire.Finding]:
        """How far the open ones have come, for the job ends."""
        return self._telling.last(self._weighed(), at)

    def _weighed(self) -> dict[str, Case]:
        """The cases by kind, symptoms of another one left out."""
        cases = self._faults()
        for habit in (self._needless, self._unused, self._accumulating):
            if case := habit.case():
                cases[case.kind] = case
        if self._causes_habits():
            cases.pop("graph-unused", None)
            cases.pop("retain-needless", None)
        explained = (
            answer.explain(case) if (answer := self.answers.get(kind)) else case
            for kind, case in cases.items()
        )
        return {case.kind: case for case in explained if not self._has_failed(case)}

    def _causes_habits(self) -> bool:
        """Whether graphs that nobody has freed pile up, or seem to: their making is a symptom."""
        held = self._held.case()
        is_held = held is not None and held.level != "info"
        return self._dead.uneasy or self._retained.uneasy or is_held

    def _graph(self) -> tuple[Chain | Held | Dead | None, Case | None]:
        """The case about graphs, and who says so: an alarm before a hint."""
        detectors: list[Chain | Held | Dead] = [self._chain, self._held, self._retained, self._dead]
        soon = self._chain.near or self._chain.pends
        if soon and not self.hinted("graph-held"):
            detectors.remove(self._dead)  # a chain that was never walked: soon told as what it is
        hint: tuple[Chain | Held | Dead | None, Case | None] = None, None
        for detector in detectors:
            if (case := detector.case()) and case.level != "info":
                return detector, case
            hint = (detector, case) if case and hint[1] is None else hint
        return hint

    def _faults(self) -> dict[str, Case]:
        _, graph = self._graph()
        climbs = self._memories.all
        if graph is None:
            found = (climb.case(self._why) for climb in climbs)
            memory = next((case for case in found if case), None)
            return {memory.kind: memory} if memory else {}
        cases = {graph.kind: graph}
        for climb in climbs:
            if graph.level != "info" and explains(graph, climb):
                if climb.is_felt:
                    graph = cases[graph.kind] = with_forecast(graph, climb)
            elif memory := climb.case(self._why):
                cases[memory.kind] = memory
        return cases
