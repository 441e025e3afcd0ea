"""What led up to a failing backward: the last backwards and steps of this thread.

Owns a short memory of them; keeps no tensor and no optimizer alive.
"""

from __future__ import annotations

import itertools
import math
import weakref
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gradwatch_agent.graph.sentinels import Sentinel, sentinel_of
from gradwatch_agent.graph.walking import inner
from gradwatch_agent.lines.sites import Lines, Site, parting
from gradwatch_agent.torch_seam import Node, sequence_number, stepped_by

if TYPE_CHECKING:
    from torch.optim import Optimizer

_REMEMBERED: Final = 16
"""Backwards and steps remembered: those of one iteration, seldom more than four."""

_MOST_NODES: Final = 10_000
"""Nodes looked at to find out which backward has walked a graph before."""


@dataclass(frozen=True, slots=True)
class _Pass:
    mark: weakref.ref[Sentinel] | None
    """The sentinel that it put into the graph."""
    lines: Lines
    sequence: int
    """Where the numbering of nodes stood after it."""
    frees: bool
    """Whether it freed what it walked."""
    accumulates: bool
    """Whether it left gradients in all leaves that it reached."""


@dataclass(frozen=True, slots=True)
class _Stepped:
    optimizer: weakref.ref[Optimizer]
    lines: Lines
    sequence: int


@dataclass(frozen=True, slots=True)
class Earlier:
    """The backward that freed what is now needed."""

    lines: Lines
    """Of its call, from the innermost out to where it begins to differ from the failing one's."""
    stepped: bool
    """Whether any optimizer has stepped since."""
    sequence: int
    """Where the numbering of nodes stood after it."""
    owned: Collection[int]
    """The ids of the tensors that these optimizers own."""
    accumulates: bool
    """Whether it left gradients in all leaves that it reached."""
    same: bool
    """Whether it was called on what fails now, and not on another loss."""
    again: bool
    """Whether the same call has walked something since."""

    @property
    def site(self) -> Site:
        """The line that led to it, as seen from what it shares with the failing one."""
        return self.lines[-1]


@dataclass(frozen=True, slots=True)
class Step:
    """An optimizer's step since a graph was built."""

    lines: Lines
    owned: Collection[int]
    """The ids of the tensors it owns."""
    sequence: int
    """Where the numbering of nodes stood."""


class Passes:
    """Of one training thread."""

    def __init__(self) -> None:
        self._passes: deque[_Pass] = deque(maxlen=_REMEMBERED)
        self._steps: deque[_Stepped] = deque(maxlen=_REMEMBERED)
        self._heard: int | None = 0
        """Where the numbering stood when steps began to be told; None: they are not."""
        self.walked_at = 0
        """Where it stood after the last backward, told or not."""

    def begin(self, sequence: int, *, heard: bool) -> None:
        """An iteration begins. `heard`: what happens in it will be told."""
        if not heard:
            self._heard = None
        elif self._heard is None:
            self._heard = sequence

    def passed(self, roots: list[Node], lines: Lines, *, frees: bool, accumulates: bool) -> None:
        """A backward went through."""
        mark = next((m for root in roots if (m := sentinel_of(root)) is not None), None)
        kept = weakref.ref(mark) if mark is not None else None
        self._passes.append(_Pass(kept, lines, sequence_number(), frees, accumulates))

    def stepped(self, optimizer: Optimizer, lines: Lines) -> None:
        """An optimizer has stepped."""
        self._steps.append(_Stepped(weakref.ref(optimizer), lines, sequence_number()))

    def earlier(self, node: Node, lines: Lines, roots: list[Node]) -> Earlier | None:
        """The backward that freed the node, if it was not this very statement, of the same loss, a
        loop ago. `roots`: of the one that fails for it.
        """
        first = self._freed(node, roots)
        if first is None:
            return None
        same = first.mark is not None and first.mark() in _marks(roots)
        site = parting(first.lines, lines) or next(iter(first.lines if not same else ()), None)
        if site is None:
            return None
        since = [each for each in self._steps if each.sequence >= first.sequence]
        inner = first.lines[: first.lines.index(site) + 1]
        owned = _owned(since)
        again = self.came_round(first.sequence, first.lines)
        return Earlier(inner, bool(since), first.sequence, owned, first.accumulates, same, again)

    def trained(self, node: Node) -> Collection[int]:
        """The ids of what was stepped between the backward that freed the node and the next one."""
        first = self._freed(node)
        if first is None:
            return ()
        later = (each.sequence for each in self._passes if each.sequence > first.sequence)
        over = next(later, math.inf)
        return _owned(s for s in self._steps if first.sequence <= s.sequence < over)

    def _freed(self, node: Node, roots: list[Node] | None = None) -> _Pass | None:
        """The backward that freed it, if it is remembered: the one that marked it; or, if that one
        kept it, the only one that frees and came after, which may walk it from marks of its own.
        One of `roots`, if it began there.
        """
        marks = _marks_below(node)
        walked = [each for each in self._passes if each.mark is not None and each.mark() in marks]
        first = next((each for each in walked if each.frees), None)
        if first is not None or not walked:
            return first
        since = itertools.dropwhile(lambda each: each is not walked[0], self._passes)
        later = [each for each in since if each.frees]
        own = _marks(roots or ())
        later = [each for each in later if each.mark is not None and each.mark() in own] or later
        return later[0] if len({each.lines for each in later}) == 1 else None

    def steps_after(self, sequence: int) -> list[Step]:
        """The steps since the node so numbered was built."""
        return [
            Step(each.lines, _owned([each]), each.sequence)
            for each in self._steps
            if each.sequence > sequence and each.lines
        ]

    def may_have_stepped(self, sequence: int) -> bool:
        """Whether a step that was not told may have come since the node so numbered was built:
        there was a backward.
        """
        heard = self._heard is not None and self._heard <= sequence
        return not heard and sequence < self.walked_at

    def went_straight(self, sequence: int, lines: Lines) -> bool:
        """Whether what runs came straight on from where the node so numbered was built to this
        statement: no backward went through meanwhile, or each by a statement of its own.
        """
        if sequence >= self.walked_at:
            return True
        if self._heard is None or self._heard > sequence:
            return False
        since = [each.lines for each in self._passes if each.sequence > sequence]
        return 0 < len(since) == len({*since, lines} - {lines})

    def came_round(self, sequence: int, lines: Lines) -> bool:
        """Whether this very statement has run since the node so numbered was built."""
        return any(each.sequence > sequence and each.lines == lines for each in self._passes)


def _owned(steps: Iterable[_Stepped]) -> frozenset[int]:
    """The ids of the tensors that the optimizers step."""
    optimizers = (step.optimizer() for step in steps)
    return frozenset(id(p) for each in optimizers if each is not None for p in stepped_by(each))


def _marks_below(root: Node) -> set[Sentinel]:
    """The sentinels in a graph."""
    return _marks(inner([root], _MOST_NODES))


def _marks(nodes: Iterable[Node]) -> set[Sentinel]:
    return {mark for node in nodes if (mark := sentinel_of(node)) is not None}
