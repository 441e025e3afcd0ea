"""One training thread under watch: from the seam's events to records and findings.

Owns the short way, which an iteration goes unless it is to be counted: its graph is marked, its
end is noticed, its record is folded with its neighbours'. Everything here runs inside the
training thread, thousands of times a second; what takes longer is the survey's.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import torch

from gradwatch_agent import torch_seam, wire
from gradwatch_agent.budget import Budget
from gradwatch_agent.capture import Window
from gradwatch_agent.checking import Checking
from gradwatch_agent.guard import Guard
from gradwatch_agent.iterations import Iterations
from gradwatch_agent.lineage import Lineage
from gradwatch_agent.memory import MemorySampler
from gradwatch_agent.sites import call_site
from gradwatch_agent.survey import Survey
from gradwatch_agent.torch_seam import CREATE, RETAIN, Pass, sequence_number
from gradwatch_agent.verdicts import Verdicts

_FIRST = 16
"""Iterations that are counted at any cost: most faults show in the first few."""

_RECORD_EVERY_S = 0.01
"""Between two records of iterations that are not counted: more often than a screen is drawn."""

_BACKWARD_EVERY_S = 0.005
"""Between two backwards told one by one, likewise."""

_MARK_EVERY_S = 0.001
"""Between two iterations whose graphs are marked on the short way: a mark takes some 3 us."""

_SAMPLES = 256
"""Looks at memory that may wait for an iteration to end; about two minutes' worth."""


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
        thorough = checking is not None
        self._survey = Survey(self._lineage, verdicts, window, guard, post, thorough=thorough)
        self._sampler = MemorySampler() if thorough else None
        self.samples: deque[wire.Memory] = deque(maxlen=_SAMPLES)
        """Looks at memory, left here by the agent's thread for the verdicts of this one."""
        self.ended = time.perf_counter()
        """When the last iteration ended, on the monotonic clock."""
        self.usual_s = 0.0
        self._granted = self._due = True
        """Whether this iteration is counted, and at any cost."""
        self._clock: Callable[[], float] = time.thread_time
        self._took_s = 0.0
        """The agent's work since the last record."""
        self._started = 0.0
        """When the engine was entered."""
        self._told_at = self._backward_told_at = self.ended
        self._folded = self._skipped = self._backwards = self._built = self._held = 0
        self._stride = 1
        """Of so many iterations on the short way, one is marked."""
        self._backward_s = 0.0

    @property
    def iteration(self) -> int:
        """The iteration under way, counted from 0."""
        return self._lineage.current

    def before(
        self, outputs: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Pass | None:
        """A backward is about to start; None if nothing more need be known of it."""
        clock = self._clock
        entered = clock()
        run = None
        if self._due or args[CREATE] or self._window.on or not self._passes(outputs, args):
            run = Pass(outputs, args, kwargs)
            self._survey.before(run)
        elif entered - self._backward_told_at > _BACKWARD_EVERY_S:
            run = Pass(outputs, args, kwargs)
        self._took_s += clock() - entered
        self._started = time.perf_counter()
        return run

    def _passes(self, outputs: Sequence[Any], args: Sequence[Any]) -> bool:
        """Whether the backward goes the short way, on which its graph is marked at most."""
        if self._lineage.current % self._stride:
            return True
        if len(outputs) != 1 or type(outputs[0]) is not torch.Tensor:
            return False
        root, spent = outputs[0].grad_fn, not args[RETAIN]
        return root is not None and self._lineage.mark_in_passing(root, spent=spent)

    def after(self, run: Pass | None) -> None:
        """The backward has ended."""
        clock = self._clock
        now, entered = time.perf_counter(), clock()
        taken_s = now - self._started
        self._backwards += 1
        self._backward_s += taken_s
        if run is None:
            self._skipped += 1
        else:
            self._tell_backward(run, taken_s, None)
            if run.context is not None:
                self._survey.after(run)
            run.release()
        over = self._survey.advances and self._is_over(run)
        self._took_s += clock() - entered
        if over:
            self.end()

    def failed(self, run: Pass, error: BaseException) -> None:
        """The backward has raised."""
        taken_s = time.perf_counter() - self._started
        entered = time.perf_counter()
        self._backwards += 1
        self._backward_s += taken_s
        self._tell_backward(run, taken_s, error)
        self._survey.failed(run, error)
        run.release()
        self._took_s += time.perf_counter() - entered

    def _is_over(self, run: Pass | None) -> bool:
        """Whether a backward that went through ends the iteration."""
        if run is None:
            return self._iterations.backward("backward")
        exists = self.iteration < _FIRST and torch_seam.optimizer_exists()
        return self._iterations.backward(
            run.call, create_graph=run.create_graph, optimizer_exists=exists
        )

    def _tell_backward(self, run: Pass, taken_s: float, error: BaseException | None) -> None:
        self._backward_told_at = time.perf_counter()
        self._post(self._backward(run, taken_s, error))
        self._skipped = 0

    def _backward(self, run: Pass, taken_s: float, error: BaseException | None) -> wire.Backward:
        site, roots = run.site, run.roots
        return wire.Backward(
            at=time.time() - taken_s,
            iteration=self.iteration,
            duration_s=taken_s,
            call=run.call,
            root=type(roots[0]).__name__ if roots else "",
            roots=len(roots),
            file=site.file if site else None,
            line=site.line if site else None,
            function=site.function if site else None,
            retain_graph=run.retain_graph,
            create_graph=run.create_graph,
            error=f"{type(error).__name__}: {error}" if error is not None else None,
            skipped=self._skipped,
            lane=self.number,
        )

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer has stepped."""
        if self._due:
            self._survey.stepped(serial, optimizer, call_site(sys._getframe()))  # noqa: SLF001
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
        """The iteration is over, the next one begins."""
        clock, now = self._clock, time.perf_counter()
        entered = clock()
        sequence = sequence_number()
        self._folded += 1
        self._built = sequence - self._lineage.start
        number = self._lineage.current
        closes = self._due or now - self._told_at > _RECORD_EVERY_S
        if closes:
            self._tell(number, now)
        self.ended = now
        self._backwards = 0
        self._lineage.begin(sequence)
        self._took_s += clock() - entered
        if closes:
            self._decide(now)
        if self._checking is not None:
            self._checking.iteration_ended(number)

    def _tell(self, number: int, now: float) -> None:
        """The record of what has ended since the last one goes out, and all that it means."""
        folded = self._folded
        record = wire.Iteration(
            number=number,
            at=time.time(),
            duration_s=(now - self._told_at) / folded,
            backward_s=self._backward_s / folded,
            backwards=self._backwards,
            built=max(self._built, 0),
            count=folded,
            lane=self.number,
        )
        record = self._survey.complete(record)
        self._post(record)
        self._told_at, self._folded, self._backward_s = now, 0, 0.0
        self.usual_s += (record.duration_s - self.usual_s) * (0.1 if self.usual_s else 1.0)
        self.verdicts.see(record)
        if self._due or self.samples or record.collected or record.held != self._held:
            self._judge(record)
        self._held = record.held

    def _judge(self, record: wire.Iteration) -> None:
        if self._sampler is not None:
            sample = self._sampler.look(record.at, record.number)
            self._post(sample)
            self.samples.append(sample)
        while self.samples:
            self.verdicts.see_memory(self.samples.popleft())
        self._survey.judge(record)

    def _decide(self, now: float) -> None:
        """Whether the iterations that now begin are counted, and pays for the last ones."""
        self._survey.close(self.iteration - 1)
        if self._due:
            self._budget.spend(self._took_s, granted=self._granted)
        else:
            self._budget.spend_in_passing(self._took_s)
        self._took_s = 0.0
        thorough = self._checking is not None
        self._granted = thorough or self.iteration < _FIRST or self._survey.suspicious
        self._due = self._granted or self._budget.allows(now)
        # Where graphs are counted, processor time: that the thread was put aside meanwhile is
        # not the agent's doing. Elsewhere its work is shorter than a look at that clock.
        self._clock = time.thread_time if self._due else time.perf_counter
        self._stride = max(int(_MARK_EVERY_S / self.usual_s), 1) if self.usual_s else 1
        self._survey.begin(due=self._due)

    def flush(self) -> None:
        """Training has ended: the record of the last iterations, if some are not told yet."""
        if self._folded:
            self._tell(self.iteration - 1, self.ended)
