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
from gradwatch_agent.checking import Checking
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.survey import Survey
from gradwatch_agent.guard import Guard
from gradwatch_agent.lines.capture import Window
from gradwatch_agent.lines.sites import call_sites
from gradwatch_agent.link.memory import MemorySampler
from gradwatch_agent.loop.budget import Budget
from gradwatch_agent.loop.iterations import Iterations
from gradwatch_agent.loop.optimizers import Awaited
from gradwatch_agent.loop.pace import FIRST, Pace, clock
from gradwatch_agent.loop.records import Records
from gradwatch_agent.torch_seam import Pass, Steps, sequence_number
from gradwatch_agent.verdicts import Verdicts

_SAMPLES = 256
"""Looks at memory that may wait for an iteration to end; about two minutes' worth."""

_GATHERINGS = 96
"""Iterations that are counted at any cost because a leak seems to begin: what is held by other
names than the loss's is marked in those alone. A leak that shows in every fourth is told by then.
"""


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
        self._window = window
        self._post = post
        self._checking = checking
        self._iterations = Iterations()
        self._lineage = Lineage(0)  # whatever was built before the first iteration is of it
        thorough = checking is not None
        self._survey = Survey(self._lineage, verdicts, window, guard, post, thorough=thorough)
        self._sampler = MemorySampler(exact=True) if thorough else None
        self._seen: MemorySampler | None = None
        """Looks when a fault is first told."""
        self.samples: deque[wire.Memory] = deque(maxlen=_SAMPLES)
        """Looks at memory, left here by the agent's thread for the verdicts of this one."""
        self.records = Records(number, time.perf_counter())
        self._pace = Pace(budget, self._iterations, self._lineage, self.records, guard, steps)
        self.doze = self._pace.doze
        self._started = 0.0
        """When the engine was entered."""
        self._built = self._held = 0
        self._gathering = False
        """A leak seems to begin: no iteration goes by unseen."""
        self._gatherings = _GATHERINGS

    def ran_out(self) -> wire.Finding | None:
        """What has filled memory, which has just run out; None if that is not known."""
        while self.samples:
            self.verdicts.see_memory(self.samples.popleft())
        self._survey.end()
        return self.verdicts.ran_out(time.time(), self.iteration)

    @property
    def iteration(self) -> int:
        """The iteration under way, counted from 0."""
        return self._pace.iteration

    def before(self, outputs: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Pass:
        """A backward is about to start."""
        self._pace.backward()
        entered = clock()
        run = Pass(outputs, args, kwargs)
        if self._pace.due or run.create_graph or self._window.on or not self._marks(outputs, run):
            self._survey.before(run)
        self._pace.took_s += clock() - entered
        self._started = time.perf_counter()
        return run

    def _marks(self, outputs: Sequence[Any], run: Pass) -> bool:
        """Marks the graph in passing, if it is a plain one and new."""
        if len(outputs) != 1 or type(outputs[0]) is not torch.Tensor:
            return False
        root, spent = outputs[0].grad_fn, not run.retain_graph
        return root is not None and self._lineage.mark_in_passing(root, spent=spent)

    def within(self, outputs: Sequence[Any]) -> None:
        """A hook, or what is recomputed, runs a backward inside the one under way."""
        if self._pace.due:
            self._survey.within(outputs)

    def after(self, run: Pass) -> None:
        """The backward has ended."""
        now = time.perf_counter()
        self._lineage.walked_at = sequence_number()
        entered = clock()
        self._post(self.records.backward(run, self.iteration, now - self._started))
        if run.context is not None:
            self._survey.after(run)
        over = False
        if self._survey.signs.advances:
            over = self._iterations.backward(
                run.call,
                create_graph=run.create_graph,
                optimizer_exists=self._step_comes(),
                cleared=self._survey.signs.cleared,
                trained=self._survey.signs.trained,
            )
        else:
            self._iterations.begun()
        run.release()
        self._pace.took_s += clock() - entered
        if over:
            self.end()

    def _step_comes(self) -> bool:
        """Whether an optimizer's step is to be waited for, though none has been seen yet."""
        if self._survey.signs.awaited.comes is not None:
            return self._survey.signs.awaited.comes
        return self.iteration < FIRST and torch_seam.optimizer_exists()

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
        self._pace.took_s += time.perf_counter() - entered

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer has stepped."""
        if self._pace.due:
            self._survey.stepped(serial, optimizer, call_sites(sys._getframe()))  # noqa: SLF001
        self._pace.step(serial, optimizer)
        first = not self.iteration and self._iterations.is_new(serial)
        alone = self._checking is not None and self._checking.is_all
        more = first and alone and self._survey.signs.awaited.more_than(optimizer)
        if self._iterations.step(serial, more=more):
            self.end()

    def marked(self) -> None:
        """The script says that the iteration is over."""
        if not self._pace.marks() and self._iterations.mark():
            self.end()

    def forget(self, optimizer: int) -> None:
        """That optimizer is gone."""
        self._iterations.forget(optimizer)
        self._pace.forget(optimizer)
        if self._checking is not None and self._iterations.start_over():
            self._survey.signs.awaited = Awaited()  # other optimizers may come

    def end(self) -> None:
        """The iteration is over, the next one begins."""
        if self._pace.passes():
            return
        entered, now = clock(), time.perf_counter()
        sequence, number = sequence_number(), self._lineage.current
        self._built = max(sequence - self._lineage.start, 0)
        backwards = self._tell(number, now, self._built).backwards
        self._survey.close(number)
        # Asked anew: to ask a weight's view for its node after a step is to have one built.
        self._lineage.begin(sequence_number())
        self._pace.took_s += clock() - entered + self._survey.took_between_s()
        granted = self._checking is not None or self._survey.suspicious or self._gathers()
        known, calm = self.verdicts.detectors.chained, self.verdicts.calm
        self._pace.decide(now, granted=granted, known=known, calm=calm)
        self._survey.begin(due=self._pace.due)
        if not self._pace.due and self._survey.signs.advances and not self._gathering:
            self._pace.pause(backwards)
        if self._checking is not None:
            if self._checking.ends_with(number):
                self._survey.end()  # while what is counted again still has its names
            self._checking.iteration_ended(number)

    def _gathers(self) -> bool:
        """Whether the next iteration is to be counted because a leak seems to begin."""
        self._gathering = self.verdicts.detectors.gathers
        self._gatherings -= self._gathering
        return self._gathering and self._gatherings >= 0

    def _tell(self, number: int, now: float, built: int) -> wire.Iteration:
        """The record of what has ended since the last one goes out, and all that it means."""
        record = self._survey.complete(self.records.iteration(number, now, built))
        self._post(record)
        self.verdicts.see(record)
        if self._pace.due or self.samples or record.collected or record.held != self._held:
            self._judge(record)
        self._held = record.held
        return record

    def _judge(self, record: wire.Iteration) -> None:
        if self._sampler is not None:
            sample = self._sampler.look(record.at, record.number)
            self._post(sample)
            self.samples.append(sample)
        while self.samples:
            self.verdicts.see_memory(self.samples.popleft())
        calm = self.verdicts.calm
        self._survey.judge(record)
        if calm and not self.verdicts.calm:  # from here on it is to be known what memory does
            self._seen = self._seen or self._sampler or MemorySampler()
            self.verdicts.see_memory(self._seen.look(time.time(), record.number))

    def rest(self) -> None:
        """Sees nothing more of the iteration under way but what hooks tell."""
        self._survey.rest()

    def flush(self) -> None:
        """Training has ended: the record of the last iterations, if some are not told yet."""
        self._pace.wake()
        if self.records.counted:
            self.records.counted -= 1  # the record itself stands for the last of them
            self._tell(self.iteration - 1, time.perf_counter(), self._built)
        self._survey.end()
