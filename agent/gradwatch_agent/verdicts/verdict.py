"""What is to be told of a job: its detectors' cases with what was found out about them. Pure.

What has been told of them, `telling` knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.verdicts.accounted import is_of_graphs
from gradwatch_agent.verdicts.case import Answer, Case
from gradwatch_agent.verdicts.detectors import Detectors
from gradwatch_agent.verdicts.telling import Telling

_COMES_BACK: Final = 24
"""Earlier iterations whose graphs may be kept unsaid where the program trains by them."""

_FILLS: Final = ("graph-chain", "graph-held", "memory-climb", "oom-forecast")
"""Faults that fill memory until it runs out."""


class Verdicts:
    """The findings of one job. One thread owns it."""

    def __init__(self, whose: wire.Hello, *, thorough: bool = False) -> None:
        self._telling = Telling(whose)
        self.detectors = Detectors(thorough=thorough)
        self.answers: dict[str, Answer] = {}
        """What was found out about a fault of a kind; empty answers too."""
        self._iteration = 0
        self._why: Answer | None = None
        """What was found to grow while memory climbed."""
        self.later: frozenset[str] = frozenset()
        """Kinds that wait for an iteration that shows where they are."""
        self._failed: set[tuple[str | None, int | None]] = set()
        """The statements by which backwards have failed: file and line."""
        self._failed_by: set[str | None] = set()
        """The names of what was walked again there."""
        self._come_back = False
        """Whether the last backward that failed has come back to what was told as dead."""

    @property
    def calm(self) -> bool:
        """Whether no finding is open."""
        return not self._telling.open

    @property
    def holds_dead(self) -> bool:
        """Whether what is held are graphs that nobody freed and no backward can use."""
        return self.detectors.holds_dead(hinted=self.hinted("graph-held"))

    @property
    def wants_answer(self) -> bool:
        """Whether it should now be found out who carries the chain that shows."""
        return self.detectors.firm and "graph-chain" not in self.answers

    def learn(self, kind: str, answer: Answer) -> None:
        """Where a fault of that kind is, and what to change."""
        self.answers[kind] = answer
        if kind == "graph-chain":
            self.detectors.learn_chain(answer)

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
        self.detectors.see(record)

    def see_memory(self, sample: wire.Memory) -> None:
        """Takes a look at memory into account; `tell` says what it changed."""
        self.detectors.memories.memory(sample)

    def learn_growth(self, why: Answer) -> None:
        """What was found to grow while memory climbed; it may show later that it has no end."""
        known, self._why = self.answers.get("memory-climb"), why
        if known is not None and known.fills and not why.fills and why.holder is not None:
            self.answers["memory-climb"] = why

    @property
    def climbs_high(self) -> bool:
        """Whether a climb is high enough to be told, if something explains it."""
        return any(climb.is_high or climb.case() for climb in self.detectors.memories.all)

    @property
    def climbing(self) -> bool:
        """Whether memory climbs, told yet or not: sizes should be compared."""
        return any(climb.slope_per_iteration for climb in self.detectors.memories.all)

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
        self._failed_by.add(case.holder)
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
        """Whether it is that a statement or a name keeps graphs by which a backward has failed."""
        if case.kind != "graph-held" or case.line is None:
            return False
        keeping = self.answers.get(case.kind)
        names = {case.holder, *(keeping.others if keeping is not None else ())} - {None}
        return (case.file, case.line) in self._failed or not names.isdisjoint(self._failed_by)

    def tell(self, at: float) -> list[wire.Finding]:
        """What has changed since the last time; `at` in seconds since the epoch."""
        weighed = self._weighed().items()
        cases = {kind: c for kind, c in weighed if kind not in self.later and not self._waits(c)}
        if not cases and self.calm:
            return []
        bounded = {"graph-held"} if self.detectors.bounded else ()
        changed = self._telling.tell(cases, at, self._iteration, bounded=bounded)
        for over in changed:
            if over.state == "resolved":
                self.answers.pop(over.kind, None)
        return changed

    def _waits(self, case: Case) -> bool:
        """Whether it is a hint that graphs are kept by which a loss is to train yet: most likely
        that fails, or makes a chain, and is told as such.
        """
        answer = self.answers.get(case.kind)
        hint = case.kind == "graph-held" and case.level == "info" and not self.hinted(case.kind)
        return hint and answer is not None and answer.comes_back and case.size < _COMES_BACK

    def ran_out(self, at: float, iteration: int) -> wire.Finding | None:
        """Memory has run out: the open fault that has filled it, as the looks at it between the
        iterations show. Now it holds what the last one needs, too.
        """
        for kind, case in self._weighed().items():
            told = self._telling.open.get(kind)
            if kind not in _FILLS or told is None or "info" in (told.level, case.level):
                continue
            noticed = self._telling.noticed[kind]
            if any(climb.rose_since(noticed) for climb in self.detectors.memories.all):
                message = f"{case.message} Memory ran out in iteration {iteration}."
                case = replace(case, level="critical", message=message, eta_iterations=None)
                return self._telling.ended(case, at)
        return None

    def last(self, at: float) -> list[wire.Finding]:
        """How far the open ones have come, for the job ends; and what it was early to tell."""
        changed = self._telling.last(self._weighed(), at)
        hint = self.detectors.unended()
        if hint is None or self._telling.open:
            return changed
        answer = self.answers.get(hint.kind)
        told = {hint.kind: answer.explain(hint) if answer is not None else hint}
        return changed + self._telling.tell(told, at, self._iteration)

    def _weighed(self) -> dict[str, Case]:
        """The cases by kind, symptoms of another one left out."""
        cases = self.detectors.cases(self._why, hinted=self.hinted("graph-held"))
        explained = [
            answer.explain(case) if (answer := self.answers.get(kind)) else case
            for kind, case in cases.items()
        ]
        return {
            case.kind: case
            for case in explained
            if not self._has_failed(case) and not is_of_graphs(case, explained)
        }
