"""For tests of training code: a block in which no graph may grow.

>>> from gradwatch_agent.testing import assert_no_graph_growth
>>> with assert_no_graph_growth():
...     train(model, batches[:10])

Owns the judgement of what a block has shown; the detectors are those of a live session, at the full
detail of `gradwatch check`. Must not know pytest. Opens no socket and writes no file.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection
from contextlib import ContextDecorator
from types import TracebackType
from typing import TYPE_CHECKING, Final

from gradwatch_agent import wire
from gradwatch_agent.reporting import SURE, told
from gradwatch_agent.verdicts.case import plural

if TYPE_CHECKING:
    from gradwatch_agent.stretch import Stretch

__all__ = ["GrowthUnchecked", "assert_no_graph_growth"]

KINDS: Final = (
    "graph-chain",
    "graph-held",
    "second-backward",
    "inplace-modified",
    "retain-needless",
    "graph-unused",
    "grads-accumulate",
    "memory-climb",
    "oom-forecast",
)
"""What a block can find."""


class GrowthUnchecked(UserWarning):
    """A block could not, or could hardly, be judged."""


def assert_no_graph_growth(
    *,
    level: wire.Level = "warning",
    kinds: Collection[str] | None = None,
    min_iterations: int = 2,
) -> Block:
    """The block trains a few iterations, in whatever way; at its end AssertionError tells leaks.

    `level` is the lowest that counts ("info", "warning", "critical"), `kinds` the kinds of
    finding that count (default: all). Also a decorator.

    Train ten iterations: a chain of graphs shows in its sixth, kept graphs show in the seventh. A
    block with fewer than eight warns (`GrowthUnchecked`); one with fewer than `min_iterations`
    fails, for it has shown nothing. An iteration ends as everywhere: at
    `gradwatch_agent.iteration()`, else at an optimizer's step, else at a backward.

    An exception passes through untouched. A running session is put aside for the time of the
    block; in a block, `gradwatch_agent.watch()` gives an inert handle. With GRADWATCH_OFF=1
    nothing is checked, with a warning.
    """
    if level not in wire.LEVELS:
        raise ValueError(f"no level {level!r}; there are {', '.join(wire.LEVELS)}")
    unknown = [kind for kind in kinds or () if kind not in KINDS]
    if isinstance(kinds, str) or unknown:
        raise ValueError(f"no kinds {kinds!r}; there are {', '.join(KINDS)}")
    counts = wire.LEVELS[wire.LEVELS.index(level) :]
    return Block(frozenset(counts), frozenset(KINDS if kinds is None else kinds), min_iterations)


class Block(ContextDecorator):
    """Made by `assert_no_graph_growth`; may be entered again and again."""

    def __init__(
        self, levels: frozenset[wire.Level], kinds: frozenset[str], min_iterations: int
    ) -> None:
        self._levels = levels
        self._kinds = kinds
        self._min_iterations = min_iterations
        self._stretches: list[Stretch | None] = []

    def __enter__(self) -> None:
        self._stretches.append(_begin())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        __tracebackhide__ = True  # pytest then shows the test and the diagnosis, not this
        stretch = self._stretches.pop()
        if stretch is not None:
            stretch.end()
            if error is None:
                self._judge(stretch)

    def _judge(self, stretch: Stretch) -> None:
        __tracebackhide__ = True
        found = [f for f in stretch.found() if f.level in self._levels and f.kind in self._kinds]
        if found:
            raise AssertionError("\n\n".join([_head(stretch, len(found)), *map(told, found)]))
        if stretch.off:
            raise RuntimeError(f"gradwatch failed and cannot judge: {'; '.join(stretch.off)}")
        if stretch.iterations < self._min_iterations:
            raise AssertionError(_too_few(stretch))
        if 0 < stretch.iterations < SURE:
            text = f"{_seen(stretch)}: only from {SURE} iterations on does every plain leak show"
            warnings.warn(text, GrowthUnchecked, stacklevel=3)


def _begin() -> Stretch | None:
    """None where the agent is told to do nothing at all."""
    if os.environ.get("GRADWATCH_OFF") == "1":
        warnings.warn("GRADWATCH_OFF=1: nothing is checked", GrowthUnchecked, stacklevel=3)
        return None
    from gradwatch_agent.stretch import Stretch  # with torch

    return Stretch()


def _head(stretch: Stretch, findings: int) -> str:
    return f"gradwatch: {_seen(stretch)}, {plural(findings, 'finding')}"


def _seen(stretch: Stretch) -> str:
    return plural(stretch.iterations, "iteration")


def _too_few(stretch: Stretch) -> str:
    return (
        f"gradwatch: {_seen(stretch)} and {plural(stretch.backwards, 'backward')} seen in this "
        "process: too few to judge whether a graph grows. An iteration ends at "
        "gradwatch_agent.iteration(), else at a step of the optimizer that has the parameters, "
        "else, where none has them, at a backward."
    )
