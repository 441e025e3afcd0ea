"""One training thread under watch: from the seam's events to records and findings.

Owns the iteration that is under way. Composes iterations, lineage, census and verdicts; must
not know sockets. Everything here runs inside the training thread and must be short.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import torch

from gradwatch_agent import torch_seam, wire
from gradwatch_agent.budget import Budget
from gradwatch_agent.capture import Window
from gradwatch_agent.census import Census, TooLarge
from gradwatch_agent.checking import Checking
from gradwatch_agent.failing import Failing
from gradwatch_agent.guard import Guard
from gradwatch_agent.inquiry import Inquiry
from gradwatch_agent.iterations import Iterations
from gradwatch_agent.lineage import Lineage, sentinel_of
from gradwatch_agent.memory import MemorySampler
from gradwatch_agent.sites import call_site, call_sites
from gradwatch_agent.tally import Created, Tally
from gradwatch_agent.torch_seam import Pass
from gradwatch_agent.verdicts import Verdicts

_FIRST = 16
"""Iterations that are counted at any cost: most faults show in the first few."""

_LOOKS = 64
"""Backwards counted within one iteration; more of them say nothing new."""

_ROOTS = 4
"""Roots of one backward that are marked; the others are marked through what they share."""

_COLLECTIONS = 8
"""Full garbage collections the agent may ask for in a run; each may take tens of ms."""

_LAYERS = 4
"""Collections in a row: cycles that hang on one another are freed one layer at a time."""

_SAMPLES = 256
"""Looks at memory that may wait for an iteration to end; about two minutes' worth."""


@dataclass(slots=True)
class _Context:
    """Of one backward, from its start to its end."""

    at: float
    started: float = 0.0
    """When the engine was entered, on the monotonic clock."""
    sequence: int = 0
    """The number of the first node that the backward itself builds."""
    paused: bool = False
    """The window in which nodes are noted is closed while the engine runs."""
    doom: wire.Finding | None = None


class Lane:
    """`post` takes messages from the training thread without ever blocking."""

    def __init__(
        self,
        number: int,
        verdicts: Verdicts,
        budget: Budget,
        window: Window,
        guard: Guard,
        post: Callable[[wire.Message], None],
        checking: Checking | None = None,
    ) -> None:
        self.number = number
        self.verdicts = verdicts
        self._budget = budget
        self._window = window
        self._post = post
        self._checking = checking
        self._iterations = Iterations()
        self._lineage = Lineage(0)  # whatever was built before the first iteration is of it
        self._census = Census(self._lineage)
        self._inquiry = Inquiry(
            verdicts,
            self._lineage,
            self._census,
            window,
            guard,
            thorough=checking is not None,
        )
        self._failing = Failing(verdicts, self._census, self._inquiry, post)
        self._sampler = MemorySampler() if checking is not None else None
        self._collections = 0
        self.samples: deque[wire.Memory] = deque(maxlen=_SAMPLES)
        """Looks at memory, left here by the agent's thread for the verdicts of this one."""
        self.ended = time.perf_counter()
        """When the last iteration ended, on the monotonic clock."""
        self.usual_s = 0.0
        self._granted = True
        """Whether this iteration is counted at any cost."""
        self._frontier: frozenset[int] = frozenset()
        self._advances = True
        """Whether the backward last looked at did more than go through an old graph again."""
        self._tally = Tally(due=True)

    @property
    def iteration(self) -> int:
        """The iteration under way, counted from 0."""
        return self._lineage.current

    @property
    def _free(self) -> bool:
        """Whether what is done now is not drawn from the budget of what can wait.

        What every iteration takes shows in the share alone; else a short step would never
        earn a count.
        """
        return self._granted or not self._tally.due

    @property
    def _clock(self) -> Callable[[], float]:
        """What the agent's own work is measured with, in seconds.

        Where it counts graphs, processor time: that it was put aside meanwhile is not its doing.
        Elsewhere the work is shorter than a look at that clock.
        """
        return time.thread_time if self._tally.due else time.perf_counter

    def before(self, run: Pass) -> None:
        """A backward is about to start."""
        clock = self._clock
        entered = clock()
        context = run.context = _Context(time.time())
        if torch_seam.sequence_number() < self._lineage.start:
            self._lineage.restart(torch_seam.sequence_number())
        self._lineage.next_pass()
        for root in run.roots[:_ROOTS]:
            self._lineage.mark(root)
        if self._tally.due and self._census.looks < _LOOKS:
            self._look(run, context)
        else:
            self._tally.whole = False
        context.paused = self._window.pause()
        context.sequence = torch_seam.sequence_number()
        context.started = time.perf_counter()
        self._budget.spend(clock() - entered, granted=self._free)

    def _look(self, run: Pass, context: _Context) -> None:
        """Counts what this backward will reach, and sees whether it must fail."""
        tally = self._tally
        try:
            look = self._census.look(run.roots, check_new=tally.freeing > 0)
        except TooLarge:
            tally.whole = False
            return
        self._advances = look.touches or look.frontier != self._frontier
        self._frontier = look.frontier
        if run.call == "backward":
            tally.uncleared = max(
                tally.uncleared, self._inquiry.gradients.uncleared(look.addresses)
            )
        if look.again:
            tally.retained.clear()
        if look.freed is not None and not run.partial:
            context.doom = self._failing.foresee(look, run, context.at, self.iteration)
        elif look.crossings and self.verdicts.wants_answer:
            self.verdicts.learn("graph-chain", self._inquiry.chain(look.crossings))

    def after(self, run: Pass, error: BaseException | None) -> None:
        """The backward has ended, or raised."""
        clock = self._clock
        entered = clock()
        context: _Context = run.context
        taken_s = time.perf_counter() - context.started
        if context.paused:
            self._window.resume()
        self._tally.backwards += 1
        self._tally.backward_s += taken_s
        self._post(self._event(run, taken_s, error))
        if error is not None:
            self._census.freed()
            self._failing.failed(run, error, context.doom, context.at, self.iteration)
        over = error is None and self._passed(run)
        run.roots.clear()  # a traceback may keep this object: it must not keep the graph
        self._budget.spend(clock() - entered, granted=self._free)
        if over:
            self.end()

    def _event(self, run: Pass, taken_s: float, error: BaseException | None) -> wire.Backward:
        site = run.site
        return wire.Backward(
            at=run.context.at,
            iteration=self.iteration,
            duration_s=taken_s,
            call=run.call,
            root=type(run.roots[0]).__name__ if run.roots else "",
            roots=len(run.roots),
            file=site.file if site else None,
            line=site.line if site else None,
            function=site.function if site else None,
            retain_graph=run.retain_graph,
            create_graph=run.create_graph,
            error=f"{type(error).__name__}: {error}" if error is not None else None,
            lane=self.number,
        )

    def _passed(self, run: Pass) -> bool:
        """A backward went through; whether it ends the iteration."""
        if self._tally.due:
            self._failing.passes.passed(run.roots, call_sites(sys._getframe()))  # noqa: SLF001
        if run.context.doom is not None:
            self._failing.averted(run.context.doom)
        if run.create_graph:
            numbers = range(run.context.sequence, torch_seam.sequence_number())
            self._tally.created.append(Created(run.site, numbers))
            if run.call == "backward":
                self._inquiry.left_in_grad(run.site)
        elif run.retain_graph:
            self._tally.retained.append(run.site)
        if not run.create_graph:
            self._tally.inside += torch_seam.sequence_number() - run.context.sequence
        if not run.retain_graph:
            self._spend(run)
        if not self._advances:
            return False
        exists = self.iteration < _FIRST and torch_seam.optimizer_exists()
        return self._iterations.backward(
            run.call, create_graph=run.create_graph, optimizer_exists=exists
        )

    def _spend(self, run: Pass) -> None:
        """The backward freed the buffers of what it walked."""
        self._tally.freeing += 1
        self._census.freed()
        self._lineage.spend(self.iteration)
        for root in run.roots[:_ROOTS]:
            if (mark := sentinel_of(root)) is not None:
                self._lineage.spend(mark.generation, mark)

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer has stepped."""
        if self._tally.due:
            site = call_site(sys._getframe())  # noqa: SLF001
            self._inquiry.gradients.stepped(serial, optimizer, site)
            self._failing.passes.stepped(optimizer, site)
        if self._iterations.step(serial):
            self.end()

    def marked(self) -> None:
        """The script says that the iteration is over."""
        if self._iterations.mark():
            self.end()

    def forget(self, optimizer: int) -> None:
        """That optimizer is gone."""
        self._iterations.forget(optimizer)

    def end(self) -> None:
        """The iteration is over: its record goes out, the next one begins."""
        clock, granted = self._clock, self._free
        entered = clock()
        now = time.perf_counter()
        sequence = torch_seam.sequence_number()
        record = self._inquiry.dead(self._record(now, sequence))
        self._post(record)
        self._judge(record)
        self.usual_s += (record.duration_s - self.usual_s) * (0.1 if self.usual_s else 1.0)
        self.ended = now
        self._inquiry.watch_closely(record.number)
        self._lineage.begin(sequence)
        self._census.begin()
        thorough = self._checking is not None
        self._granted = thorough or self.iteration < _FIRST or self._inquiry.suspicious()
        self._budget.spend(clock() - entered, granted=granted)
        self._tally = Tally(due=self._granted or self._budget.allows(now))
        if self._checking is not None:
            self._checking.iteration_ended(record.number)

    def _judge(self, record: wire.Iteration) -> None:
        """Lets the verdicts see what is new, finds out what they will want to tell, and tells."""
        self.verdicts.see(record)
        if self._sampler is not None:
            sample = self._sampler.look(record.at, record.number)
            self._post(sample)
            self.samples.append(sample)
        while self.samples:
            self.verdicts.see_memory(self.samples.popleft())
        self._inquiry.prepare(self._tally, record)
        for finding in self.verdicts.tell(record.at):
            self._post(finding)

    def _record(self, now: float, sequence: int) -> wire.Iteration:
        lineage, tally = self._lineage, self._tally
        counted = tally.due and tally.whole and self._census.looks > 0
        counts = self._census.counts() if counted else None
        before = counts.oldest if counts else None
        lineage.bury()
        suspicious = self.verdicts.would_collect(lineage.held(before), lineage.earlier())
        collected = suspicious and self._collect()
        record = wire.Iteration(
            number=self.iteration,
            at=time.time(),
            duration_s=now - self.ended,
            backward_s=tally.backward_s,
            backwards=tally.backwards,
            built=max(sequence - lineage.start, 0),
            live=lineage.earlier(),
            held=lineage.held(before),
            collected=collected,
            lane=self.number,
        )
        if counts is None:
            return record
        return msgspec.structs.replace(
            record,
            reached=counts.reached,
            stale=counts.stale,
            unused=tally.unused(record.built - counts.fresh, self._census.reached_among),
            outdated=counts.outdated,
            retained=len(tally.retained),
            uncleared=tally.uncleared,
            oldest=counts.oldest,
            proven=counts.proven,
            saved_bytes=counts.saved_bytes,
            storages=counts.storages,
            types=counts.types,
        )

    def _collect(self) -> bool:
        """A full collection: what is only a Python cycle dies now."""
        if self._collections >= _COLLECTIONS:
            return False
        self._collections += 1
        for _ in range(_LAYERS):  # what a cycle holds through C++ is only seen once that is gone
            if not gc.collect():
                break
        self._lineage.bury()
        return True
