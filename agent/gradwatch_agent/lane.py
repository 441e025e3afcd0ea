"""One training thread under watch: from the seam's events to records and findings.

Owns the short way, which an iteration goes unless it is to be counted: its graph is marked, its
end is noticed, its record goes out. Everything here runs inside the
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
from gradwatch_agent.doze import BY_HAND, Counted, Doze
from gradwatch_agent.guard import Guard
from gradwatch_agent.iterations import Iterations
from gradwatch_agent.lineage import Lineage
from gradwatch_agent.memory import MemorySampler
from gradwatch_agent.records import Records
from gradwatch_agent.sites import call_sites
from gradwatch_agent.survey import Survey
from gradwatch_agent.torch_seam import Pass, Steps, sequence_number
from gradwatch_agent.verdicts import Verdicts

_FIRST = 16
"""Iterations that are counted at any cost: most faults show in the first few."""

_LONGEST_S = 0.2
"""The longest that iterations are only counted, so that a screen always has something new."""

_COUNTING_S = 5e-6
"""What an iteration takes the agent that is only counted; too short to be measured each time. In a
loop that does nothing else it is 1 us, between the steps of a model 4; 8 where steps are heard."""

_clock = time.thread_time
"""That the thread was put aside meanwhile is not the agent's doing."""

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
        steps: Steps,
        checking: Checking | None = None,
    ) -> None:
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
        self.doze = Doze(self._woken, guard, steps)
        self.records = Records(number, time.perf_counter())
        self._granted = self._due = True
        """Whether this iteration is counted, and at any cost."""
        self._took_s = 0.0
        """The agent's work since the last record."""
        self._passing_s = 0.0
        """What it usually is for an iteration that is looked at in passing."""
        self._started = 0.0
        """When the engine was entered."""
        self._built = self._held = self._backwards = 0
        self._unseen = False
        """The backward of the iteration under way was only counted."""
        self._missing = 0
        """Iterations there were if the next step is another optimizer's than expected."""

    @property
    def iteration(self) -> int:
        """The iteration under way, counted from 0."""
        return self._lineage.current + self.doze.iterations

    def before(self, outputs: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Pass:
        """A backward is about to start."""
        if self.doze.on:
            self.doze.wake()
        self._unseen = False
        entered = _clock()
        run = Pass(outputs, args, kwargs)
        if self._due or run.create_graph or self._window.on or not self._marks(outputs, run):
            self._survey.before(run)
        self._took_s += _clock() - entered
        self._started = time.perf_counter()
        return run

    def _marks(self, outputs: Sequence[Any], run: Pass) -> bool:
        """Marks the graph in passing, if it is a plain one and new."""
        if len(outputs) != 1 or type(outputs[0]) is not torch.Tensor:
            return False
        root, spent = outputs[0].grad_fn, not run.retain_graph
        return root is not None and self._lineage.mark_in_passing(root, spent=spent)

    def after(self, run: Pass) -> None:
        """The backward has ended."""
        now = time.perf_counter()
        entered = _clock()
        self._post(self.records.backward(run, self.iteration, now - self._started))
        if run.context is not None:
            self._survey.after(run)
        over = self._survey.advances and self._iterations.backward(
            run.call, create_graph=run.create_graph, optimizer_exists=self._step_comes()
        )
        run.release()
        self._took_s += _clock() - entered
        if over:
            self.end()

    def _step_comes(self) -> bool:
        """Whether an optimizer's step is to be waited for, though none has been seen yet."""
        if self._survey.step_comes is not None:
            return self._survey.step_comes
        return self.iteration < _FIRST and torch_seam.optimizer_exists()

    def failed(self, run: Pass, error: BaseException) -> None:
        """The backward has raised."""
        entered = time.perf_counter()
        if self.doze.on:
            self.doze.wake()
            self._started = entered
        taken_s = entered - self._started
        self._post(self.records.backward(run, self.iteration, taken_s, error))
        self._survey.failed(run, error)
        run.release()
        self._took_s += time.perf_counter() - entered

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer has stepped."""
        if self._due:
            self._survey.stepped(serial, optimizer, call_sites(sys._getframe()))  # noqa: SLF001
        if serial == self._iterations.closer:
            self.doze.pulse.step(optimizer, self._iterations.backwards)
        elif self._missing:
            self._count(self._missing)
        self._missing = 0
        if self._iterations.step(serial):
            self.end()

    def marked(self) -> None:
        """The script says that the iteration is over."""
        if self.doze.on and self.doze.closer == BY_HAND:
            self.doze.step()
            return
        if self.doze.on:
            self.doze.wake()
        if self._iterations.mark():
            self.end()

    def forget(self, optimizer: int) -> None:
        """That optimizer is gone."""
        self._iterations.forget(optimizer)
        if optimizer == self.doze.closer:
            self.doze.rouse()
        if self._checking is not None and self._iterations.start_over():
            self._survey.step_comes = None

    def end(self) -> None:
        """The iteration is over, the next one begins."""
        if self._unseen:
            self._unseen = False
            self._count(1)
            self._lineage.start_at(sequence_number())
            return
        entered, now = _clock(), time.perf_counter()
        sequence, number = sequence_number(), self._lineage.current
        self._built = max(sequence - self._lineage.start, 0)
        self._tell(number, now, self._built)
        self._survey.close(number)
        self._lineage.begin(sequence)
        self._took_s += _clock() - entered + self._survey.took_between_s()
        self._decide(now)
        if self._checking is not None:
            self._checking.iteration_ended(number)

    def _tell(self, number: int, now: float, built: int) -> None:
        """The record of what has ended since the last one goes out, and all that it means."""
        record = self._survey.complete(self.records.iteration(number, now, built))
        self._backwards = record.backwards
        self._post(record)
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
        """Pays for the last iterations, and decides how the next ones are looked at."""
        if self._due:
            self._budget.spend(self._took_s, granted=self._granted)
        else:
            self._budget.spend_in_passing(self._took_s)
            self._passing_s += (self._took_s - self._passing_s) * 0.1
        self._took_s = 0.0
        thorough = self._checking is not None
        self._granted = thorough or self.iteration < _FIRST or self._survey.suspicious
        self._due = self._granted or self._budget.allows(now, calm=self.verdicts.calm)
        self._survey.begin(due=self._due)
        if not self._due and self._survey.advances:
            self._doze()

    def _doze(self) -> None:
        """Only counts, for as long as the budget bids between two looks in passing."""
        pause_s = min(self._budget.pause_s(self._passing_s), _LONGEST_S)
        if iterations := int(pause_s / self.records.usual_s):
            self.doze.begin(iterations, self._iterations.closer, self._backwards)

    def _woken(self, counted: Counted) -> None:
        """It has only counted for a while."""
        self.records.skipped += counted.backwards
        self._count(counted.iterations)
        self._unseen, self._missing = counted.begun, counted.missing
        if counted.begun:
            self._iterations.begun()
        if counted.ended:
            self._lineage.start_at(sequence_number())

    def _count(self, iterations: int) -> None:
        """So many that were not looked at."""
        self.records.counted += iterations
        self._budget.spend_in_passing(iterations * _COUNTING_S)
        self._lineage.advance(iterations)

    def rest(self) -> None:
        """Sees nothing more of the iteration under way but what hooks tell."""
        self._survey.rest()

    def flush(self) -> None:
        """Training has ended: the record of the last iterations, if some are not told yet."""
        if self.doze.on:
            self.doze.wake()
        if self.records.counted:
            self.records.counted -= 1  # the record itself stands for the last of them
            self._tell(self.iteration - 1, time.perf_counter(), self._built)
