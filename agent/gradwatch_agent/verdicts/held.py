"""`graph-held`: something keeps the graphs of earlier iterations alive, and nobody needs them.

A graph that was backwarded is spent: its buffers are gone, no one can use it again, holding it
is pure waste. The count of such generations grows in a leak and stays at a handful elsewhere.
Before it is told, that they are held must be proven: a name of the program's leads to them, or
a garbage collection leaves them. Pure.
"""

from __future__ import annotations

from gradwatch_agent import wire
from gradwatch_agent.verdicts.case import Case, plural

_PATIENCE = 6
"""Spent generations alive beyond which it is suspicious. Innocent jobs were seen to hold 3."""

SURE_PATIENCE = 2
"""The same of what is known to grow without end. Looked for where more than an iteration lies from
one to the next: else the others are soon there."""

_RETAINED_PATIENCE = 32
"""The same for graphs that were backwarded and retained: another backward may still want them.
Truncated backprop by hand was seen to keep 20."""

_IN_GRAD_PATIENCE = 6
"""The same once a backward has left its graph in .grad: a cycle that nothing collects."""

_UNEASY = 3
"""Retained generations alive from which on a lesser finding waits, for this may be its cause."""

_LATELY = 8
"""Iterations within which one more is held where every so many-th adds one."""

_SOONER = 4
"""Of a store that may rightly hold more, what it holds is looked at again at so many times as
many: what is added up in it shows by then."""

_CALM = 64
"""Looks without growth after which the held graphs are taken for bounded; longer, by
`_CALM_FACTOR`, for a leak that took long to grow (an epoch's sum starts anew each epoch)."""

_CALM_FACTOR = 4

_CYCLED = 1_024
_CYCLES = 32
"""Iterations, and as many times the most that were ever held, within which what starts anew again
and again must have come to more than ever: else that is all it comes to."""


_MOST = 0.6
"""The share of the iterations that leave a graph up to which what they cost is averaged."""


MAYBE_BOUNDED = (
    " As yet they are no more than a store that is filled anew would hold: if it is one, this is "
    "waste but no leak."
)

_BOUNDED = " What holds them has room for so many and no more: this is waste but no leak."


class Held:
    """Fed with every iteration. `retained`: watches graphs that were backwarded and retained."""

    def __init__(self, *, retained: bool = False) -> None:
        self._retained = retained
        self._patience = _RETAINED_PATIENCE if retained else _PATIENCE
        self._previous = 0
        self._began = 0
        self._unseen = False
        """Since then iterations went by unseen: what they left is not in the count."""
        self._newest = 0
        self._still = 0
        """Looks since it grew: what went by unseen shows no calm."""
        self._highest = self._rose_at = 0
        """More were never held, and when it came to that."""
        self._rises = False
        """Whether that is now."""
        self._before = 0
        """The most that were held before this iteration."""
        self._peak = 0
        self._threshold = self._patience
        self._left = 0
        """What the last collection left, or a bounded store was seen to hold."""
        self._open = False
        self.bounded = False
        """Whether the case ends so in this very iteration: what is held was never more again."""
        self._within = 0
        """What is held is waste, but no more than a store of its kind may hold: so many."""
        self._suspected = False
        self._nodes: int | None = None
        self.room = 0
        """How many may be held rightly, as far as is known of what holds them."""
        self.sure = False
        """Whether that is known, and not guessed."""
        self.wanted = False
        """Names lead to them, and another backward could use them."""
        self.endless = False
        """Names lead to them, and what holds them is known to grow without end."""
        self.early = False
        """Fewer are suspected than are held by chance now and then: they must be proven endless."""

    def iteration(self, record: wire.Iteration) -> None:
        """Takes one iteration into account."""
        if record.reached is not None and not record.stale:
            self._nodes = record.reached - (record.types or {}).get("AccumulateGrad", 0)
        count, self._newest = self._count(record.held, record.live), record.number
        self.bounded = False
        if count <= 1 and not self._open:
            self._began, self._within, self._unseen = record.number, 0, False
        elif record.count > 1:
            self._unseen = True
        self._still = 0 if count > self._previous else self._still + 1
        if record.collected:  # what the collector has taken was none
            self._highest, self._rises = max(self._before, count), count > self._before
        if self._rises:
            self._rose_at = record.number
        self._previous = count
        if self._open or self._within:
            self._peak = max(self._peak, count)
            self._follow()
        if self._suspected:
            self._suspected = False
            self._decide(count, proven=record.collected)

    def hasten(self) -> None:
        """What is retained may be a cycle by .grad."""
        if self._patience > _IN_GRAD_PATIENCE:
            self._patience = _IN_GRAD_PATIENCE
            self._threshold = min(self._threshold, self._patience)

    def _count(self, held: int, live: int) -> int:
        return live - held if self._retained else held

    def _decide(self, count: int, *, proven: bool) -> None:
        """A suspicion has been looked into."""
        if self.early:
            self._open = proven and self.endless
            self._peak = count if self._open else self._peak
            return
        outgrown = 0 < self._within < count  # and what leads there is known
        if self.wanted or not (proven or outgrown):
            self._threshold *= 2
        elif 0 < count <= self.room:
            self._threshold = min(self.room + 1, _SOONER * count)
            self._within, self._peak = 0 if self._retained else self.room, count
        elif count >= max(self._patience, 2 * self._left):
            self._open, self._within, self._peak = True, 0, count
        else:
            self._threshold *= 4  # a cycle that the collector freed: look again much later
            self._left, self._within = count, 0

    def _follow(self) -> None:
        """An open case ends when nothing has been added for long."""
        calm = self._still > max(_CALM, _CALM_FACTOR * self._peak)
        if calm or self._newest - self._rose_at > max(_CYCLED, _CYCLES * self._peak):
            if self._open:
                self._threshold = 2 * self._peak + self._patience
                self._left = self._peak
            self.bounded = self._previous > 1 or not calm
            self._open, self._within = False, 0

    def suspects(self, held: int, live: int) -> bool:
        """Whether it must be found out what keeps so many."""
        count = self._count(held, live)
        whole = count >= self._threshold
        self._rises, self._before = count > self._highest, self._highest
        self._highest = max(self._highest, count)
        self.early = not whole and not self._within and self._is_sparse(count)
        self._suspected = not self._open and (whole or self.early)
        return self._suspected

    def _is_sparse(self, count: int) -> bool:
        """Whether more are held than ever, and not every iteration leaves one."""
        sparse = self._rises and self._newest > self._rose_at
        return not self._retained and sparse and count >= SURE_PATIENCE

    @property
    def gathers(self) -> bool:
        """Whether a leak seems to begin: several are held, and lately there was one more than ever.
        Were the next iterations to go by unseen, it would be told late, and what marks them would
        lie too far apart in a long list for its name to be found.
        """
        rises = self._newest - self._rose_at < _LATELY
        return rises and not self._open and _UNEASY <= self._previous < self._threshold

    @property
    def uneasy(self) -> bool:
        """Whether more are alive than is usual, told or not."""
        return self._previous >= _UNEASY

    def case(self) -> Case | None:
        """The leak, if there is one."""
        if not (self._open or self._within):
            return None
        return Case(
            kind="graph-held",
            level="warning" if self._open else "info",
            since=self._began,
            message=self._message() + self._bound(),
            suggestion=(
                "Keep numbers instead of tensors with a graph: "
                "x.item() for a scalar, x.detach() for a tensor."
            ),
            nodes_per_iteration=self._rate(),
            size=self._previous,
        )

    def _rate(self) -> float | None:
        """Nodes an iteration: of a graph, on average over those that left none, if that is many."""
        share = self._previous / max(1, self._newest - self._began)
        averaged = share if share < _MOST and not self._unseen else 1.0
        return self._nodes * averaged if self._nodes else None

    def _bound(self) -> str:
        if not self._within:
            return ""
        return _BOUNDED if self.sure else MAYBE_BOUNDED

    def _message(self) -> str:
        count = ("at least " if self._unseen else "") + plural(self._previous, "earlier iteration")
        graphs = f"The graphs of {count} are kept alive"
        if self._retained:
            return f"{graphs} with all their buffers (retained), and no loss reaches them."
        return f"{graphs}, though backward is done with them and the loss does not reach them."
