"""What has been told of a job's faults, and what of them is news. Pure.

Owns how a case becomes a finding with a name and a state. Must not know how cases are found.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.verdicts.case import Case, finding

_BOUNDED: Final = "It has turned out to be bounded, for no more were held in a long time"


class Telling:
    """Of one job, `whose`."""

    def __init__(self, whose: wire.Hello) -> None:
        self._whose = whose
        self.open: dict[str, Case] = {}
        """What was told last of each case that is open, by kind."""
        self.noticed: dict[str, int] = {}
        """In which iteration each of them was first told, by kind."""
        self._events: dict[str, tuple[int, int, int]] = {}
        """How often each fault of a backward happened, in which iteration first, and since when."""

    def event(self, case: Case, at: float, iteration: int) -> tuple[wire.Finding, bool]:
        """A fault that happened, and whether that is news: when it is the first of its kind and
        place, and each time their count has doubled.
        """
        name = f"{case.kind}@{case.file}:{case.line}"
        count, noticed, since = self._events.get(name, (0, iteration, case.since))
        count += 1
        self._events[name] = count, noticed, since
        if count > 1:
            message = f"{case.message} ({count} times so far)"
            case = dataclasses.replace(case, since=since, message=message)
        state: wire.State = "raised" if count == 1 else "updated"
        return finding(case, self._whose, state, at, noticed, name), not count & (count - 1)

    def news(self, cases: dict[str, Case]) -> list[str]:
        """The kinds of those that `tell` would raise, or make an alarm of a hint."""
        found = []
        for kind, case in cases.items():
            told = self.open.get(kind)
            if told is None or (told.level == "info" != case.level):
                found.append(kind)
        return found

    def grown(self, cases: dict[str, Case]) -> list[str]:
        """The kinds of those that `tell` would tell again: graver, elsewhere, or twice as far."""
        pairs = [(told, cases[kind]) for kind, told in self.open.items() if kind in cases]
        return [told.kind for told, now in pairs if _grew(told, _in_line_with(told, now))]

    def tell(
        self, cases: dict[str, Case], at: float, iteration: int, *, bounded: Collection[str] = ()
    ) -> list[wire.Finding]:
        """What has changed, if these are all the cases there are. `bounded`: the kinds of those
        that have ended because no more came.
        """
        changed = []
        for kind, case in cases.items():
            told = self.open.get(kind)
            if told is not None:
                case = _in_line_with(told, case)
            if told is None or _grew(told, case):
                state: wire.State = "raised" if told is None else "updated"
                self.noticed.setdefault(kind, iteration)
                changed.append(self._finding(case, state, at))
                self.open[kind] = case
        over = [self.open.pop(kind) for kind in list(self.open) if kind not in cases]
        for case in over:
            why = _BOUNDED if case.kind in bounded else "No longer so"
            changed.append(self._finding(_over(case, why), "resolved", at))
        for case in over:
            del self.noticed[case.kind]
        return changed

    def absorb(self, kind: str, at: float) -> wire.Finding:
        """What is open of that kind is part of a graver fault that has just been told."""
        case = self.open.pop(kind)
        message = f"It has made a backward fail, and is told as that: {case.message}"
        over = self._finding(dataclasses.replace(case, message=message), "resolved", at)
        del self.noticed[kind]
        return over

    def ended(self, case: Case, at: float) -> wire.Finding:
        """What is open of that kind has ended training."""
        case = self.open[case.kind] = _in_line_with(self.open[case.kind], case)
        return self._finding(case, "updated", at)

    def last(self, cases: dict[str, Case], at: float) -> list[wire.Finding]:
        """Of what is open, that which has come farther than was told: nothing more will be."""
        changed = []
        for kind in self.open.keys() & cases.keys():
            case = _in_line_with(self.open[kind], cases[kind])
            if case.size > self.open[kind].size:
                self.open[kind] = case
                changed.append(self._finding(case, "updated", at))
        return changed

    def _finding(self, case: Case, state: wire.State, at: float) -> wire.Finding:
        name = f"{case.kind}@{case.since}"
        return finding(case, self._whose, state, at, self.noticed[case.kind], name)


def _in_line_with(told: Case, now: Case) -> Case:
    """Since when, as it was told; and no less grave because memory rests for a moment."""
    level = told.level if (told.level, now.level) == ("critical", "warning") else now.level
    return dataclasses.replace(now, since=told.since, level=level)


def _grew(told: Case, now: Case) -> bool:
    """Whether there is news worth a line: graver, elsewhere, or twice as far."""
    if (told.level, told.file, told.line, told.holder) != (
        now.level,
        now.file,
        now.line,
        now.holder,
    ):
        return True
    return now.size >= 2 * max(told.size, 1)


def _over(case: Case, why: str) -> Case:
    """The same, resolved."""
    return dataclasses.replace(case, message=f"{why}: {case.message}", eta_iterations=None)
