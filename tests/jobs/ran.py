"""What was said and seen while a job ran, and whether the one agrees with the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from gradwatch_agent import wire

from .probe import Line, Walk

_UNCOUNTED = 3
"""Iterations left out by the budget: after a collection on suspicion, the next must wait."""


@dataclass
class Ran:
    """One process of a job."""

    lines: list[Line] = field(default_factory=list)

    def of(self, kind: type, thread: int | None = None) -> list:
        return [
            line.what
            for line in self.lines
            if isinstance(line.what, kind) and thread in (None, line.thread)
        ]

    @property
    def hello(self) -> wire.Hello:
        (hello,) = self.of(wire.Hello)
        return hello

    @property
    def iterations(self) -> list[wire.Iteration]:
        return self.of(wire.Iteration)

    @property
    def alarms(self) -> list[str]:
        """What was told at warning or above, in brief."""
        return [
            f"{f.kind} ({f.level}, {f.state}): {f.message}"
            for f in self.of(wire.Finding)
            if f.level != "info"
        ]

    @cached_property
    def threads(self) -> list[int]:
        """Those that trained."""
        return list(dict.fromkeys(x.thread for x in self.lines if isinstance(x.what, Walk)))

    def counted(self, thread: int) -> list[tuple[int | None, int]]:
        """Of each iteration of a thread: nodes as the agent tells them, and by plain walks."""
        pairs: list[tuple[int | None, int]] = []
        walked: set[int] = set()
        for line in self.lines:
            if line.thread != thread:
                continue
            if isinstance(line.what, Walk):
                walked.update(line.what.nodes)
            elif isinstance(line.what, wire.Iteration):
                pairs.append((line.what.reached, len(walked)))
                walked = set()
        return pairs

    def is_exact(self, iterations: int, thread: int | None = None, since: int = 0) -> bool:
        """Asserts that each iteration has one record, and from `since` on the right counts."""
        thread = self.threads[0] if thread is None else thread
        records = self.of(wire.Iteration, thread)
        numbers = [record.number for record in records]
        assert numbers == list(range(iterations)), numbers
        assert {record.count for record in records} == {1}
        pairs = self.counted(thread)
        counted = {number: pair for number, pair in enumerate(pairs) if pair[0] is not None}
        assert len(counted) >= iterations - _UNCOUNTED, counted
        late = {number: pair for number, pair in counted.items() if number >= since}
        wrong = {number: pair for number, pair in late.items() if pair[0] != pair[1]}
        assert wrong == {}, f"(told, walked) by iteration: {wrong}"
        return True

    def is_healthy(self, iterations: int) -> bool:
        """Asserts that it is exact, and silent."""
        assert self.alarms == [], self.alarms
        return self.is_exact(iterations)

    def the_leak(self) -> wire.Finding:
        """The one fault told, as it was told last."""
        found = {f.id: f for f in self.of(wire.Finding) if f.level != "info"}
        assert len(found) == 1, list(found.values())
        (finding,) = found.values()
        assert finding.state != "resolved"
        return finding
