"""`graph-chain`: the loss reaches the graphs of earlier iterations, farther back each time.

A fault when the oldest generation reached stays put while the present moves on. A bounded age
is truncated backprop, or a graph that two optimizers share, and no fault. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gradwatch_agent import wire
from gradwatch_agent.verdicts.case import Case, plural

_PATIENCE = 5
"""Iterations in a row in which the age must have grown. Innocent jobs were seen to reach 3."""

_BOUNDED_PATIENCE = 40
"""The same where the source detaches the carried tensor now and then: longer than the windows of
truncated backprop that people use."""

_SLOWEST = 4
"""Iterations in which the way back grows by a node at least: of many states one is met at a time.
"""

_FIRM = 3
"""Iterations in a row after which the chain's carrier is looked for, before it is told."""

_QUIET = 3
"""Counted iterations without a stale node after which a chain is over, if its graph is gone."""

_RESTING = 64
"""Those after which it is over though old graphs live: some are carried on now and then only."""

_ASIDE = 3
"""Iterations in a row that reach none as old after which the way back has ended there: a loss that
reads but a part of what is carried reaches farther again."""

_BREAKS = 16
"""Chains that ended after which the next one is no reason to count beyond the budget."""


_MAY_END = "It is early to say: some statement detaches what is carried, but none has done so yet."


@dataclass(slots=True)
class _Run:
    """Iterations in a row whose loss reaches as far back as the first of them, or farther."""

    first: wire.Iteration
    last: wire.Iteration
    anchor: int
    """The generation that it reaches for certain."""
    streak: int = 1
    rises: int = 0
    """Those of them whose loss reaches more nodes than the one before."""

    @property
    def in_each(self) -> bool:
        """Whether most of them have left something of theirs to the next."""
        return 2 * self.rises >= self.streak - 1


class Chain:
    """Fed with every iteration; looks at those whose graph was counted."""

    def __init__(self) -> None:
        self._run: _Run | None = None
        self._next: _Run | None = None
        """What takes its place if no loss reaches as far any more."""
        self._aside = 0
        """Iterations in a row that did not."""
        self._quiet = self._live = 0
        """Counted iterations since it was last seen, and earlier graphs that are alive."""
        self._breaks = 0
        self._bound = 0
        """The age that the longest chain which ended had reached."""
        self.bounded = False
        """Whether the source gives reason to expect that the way back ends somewhere."""
        self.window = 0
        """For so many iterations it may grow, since it leads through a window alone."""
        self.always = False
        """Whether it is wrong though chains like it have ended."""
        self._known: Case | None = None
        """The last of those that was found."""

    def iteration(self, record: wire.Iteration) -> None:
        """Takes one iteration into account."""
        if record.reached is None:
            return
        self._live = record.live
        if not record.stale or record.proven is None:
            self._quiet += 1
            return
        self._quiet = 0
        run = self._run
        if run is not None and record.proven > run.anchor:
            self._passes_by(record, record.proven)
            return
        self._run = _with(run, record, record.proven, more=self._aside)
        self._next, self._aside = None, 0

    def _passes_by(self, record: wire.Iteration, proven: int) -> None:
        """The loss reaches none as old."""
        self._aside += 1
        self._next = _with(self._next, record, proven)
        if self._aside >= _ASIDE:
            self._end()
            self._run, self._next, self._aside = self._next, None, 0

    def _end(self) -> None:
        """The loss lets go of the oldest generation: so far back is this job's way."""
        run = self._run
        if run is not None and run.streak > 1:
            self._bound = max(self._bound, run.last.number - run.anchor)
            self._breaks += 1

    @property
    def _streak(self) -> int:
        return self._run.streak if self._run is not None else 0

    @property
    def _is_over(self) -> bool:
        return self._quiet >= (_RESTING if self._live else _QUIET)

    @property
    def near(self) -> bool:
        """Whether a chain that is not told yet may be growing: the next iterations are counted."""
        some = 1 < self._streak <= 2 * _PATIENCE and not self._is_over
        return some and self._breaks < _BREAKS and self.case() is None

    @property
    def pends(self) -> bool:
        """Whether the first that shows may still end somewhere, as the source has it."""
        expected = self.bounded or self.window > 0
        return expected and not self._breaks and self.active and self.case() is None

    @property
    def active(self) -> bool:
        """Whether the last counted iterations reached stale nodes, the same ones or older: what
        always reads the last few has no chain.
        """
        return self._streak > 1 and self._quiet < _QUIET

    @property
    def firm(self) -> bool:
        """Whether it is more than a chance meeting: worth finding out who carries it."""
        return self._streak >= _FIRM and not self._is_over

    def case(self) -> Case | None:
        """The chain, if it is one; what is always wrong is no better where it has just begun
        again.
        """
        found = self._case(max(self.window, _BOUNDED_PATIENCE if self.bounded else 0))
        if found is not None or not self.always or self._is_over:
            self._known = found
        return self._known

    def unended(self) -> Case | None:
        """The first one, where the source has it that it may end somewhere, and it has not yet."""
        found = self._case(0) if self.pends and not self.window else None
        return found and replace(found, level="info", message=f"{found.message} {_MAY_END}")

    def _case(self, awaited: int) -> Case | None:
        """The chain, if it has come on for so many iterations."""
        run, patience = self._run, max(_PATIENCE, awaited)
        if run is None or run.streak < patience or self._is_over:
            return None
        first, last = run.first, run.last
        if last.number - run.anchor < max(patience, 0 if self.always else 2 * self._bound):
            return None
        oldest = last.oldest if last.oldest is not None else run.anchor
        age = last.number - oldest
        nodes = _rate(first, last, first.stale, last.stale)
        # By one less, if two backwards in turn are taken for an iteration each.
        grows = _SLOWEST * ((last.stale or 0) - (first.stale or 0)) >= run.streak - 2
        if not grows and not last.outdated:
            return None  # one graph, built once and rightly shared: its weights are as they were
        saved = _rate(first, last, first.saved_bytes, last.saved_bytes)
        return Case(
            kind="graph-chain",
            level="critical",
            since=oldest + 1,
            message=_sentence(oldest, age, nodes if grows else 0.0, in_each=run.in_each),
            suggestion=(
                "Detach what one iteration hands to the next (x = x.detach()), "
                "or build it anew inside the loop."
            ),
            nodes_per_iteration=nodes,
            bytes_per_iteration=saved,
            size=age,
        )


def _with(run: _Run | None, record: wire.Iteration, proven: int, more: int = 0) -> _Run:
    """The run with one iteration more, and `more` that did not count; or one that begins there."""
    if run is None or proven > run.anchor:
        return _Run(record, record, proven)
    run.rises += (record.stale or 0) > (run.last.stale or 0)
    run.last, run.streak = record, run.streak + 1 + more
    return run


def _sentence(oldest: int, age: int, nodes: float | None, *, in_each: bool) -> str:
    if nodes == 0.0:
        return (
            f"The loss still reaches the graph that was built in iteration {oldest}, "
            f"{plural(age, 'iteration')} ago."
        )
    each = f", +{nodes:{',.0f' if nodes >= 10 else '.2g'}} nodes each" if nodes is not None else ""
    if not in_each:
        return f"The loss reaches graphs of earlier iterations, the oldest {age} ago{each}."
    return f"The loss reaches the graphs of {plural(age, 'earlier iteration')}{each}."


def _rate(
    first: wire.Iteration, last: wire.Iteration, before: int | None, after: int | None
) -> float | None:
    """Growth per iteration between two records."""
    if before is None or after is None or last.number <= first.number:
        return None
    return (after - before) / (last.number - first.number)
