"""One training thread under watch: from the seam's events to records and findings.

Owns the iteration that is under way. Composes iterations, lineage, census and verdicts; must
not know sockets. Everything here runs inside the training thread and must be short.
"""

from __future__ import annotations

import dataclasses
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
from gradwatch_agent.census import Census, Look, TooLarge
from gradwatch_agent.checking import Checking
from gradwatch_agent.diagnosis import (
    Carriers,
    at,
    in_a_cycle,
    of_chain,
    of_graphless,
    of_held,
    of_unused,
)
from gradwatch_agent.explaining import explain
from gradwatch_agent.gradients import Gradients
from gradwatch_agent.growth import Growth
from gradwatch_agent.guard import Guard
from gradwatch_agent.iterations import Iterations
from gradwatch_agent.lineage import Lineage, sentinel_of
from gradwatch_agent.memory import MemorySampler
from gradwatch_agent.sites import Site, call_site
from gradwatch_agent.statements import source_line
from gradwatch_agent.torch_seam import Pass
from gradwatch_agent.unspent import dead_graphs
from gradwatch_agent.verdicts import Answer, Case, Verdicts
from gradwatch_agent.verdicts.failure import (
    Doom,
    graphless_sentence,
    inplace_modified,
    second_backward,
)

_FIRST = 16
"""Iterations that are counted at any cost: most faults show in the first few."""

_NAMED = 3
"""Iterations at whose end the names of tensors are noted: a second backward fails in the next."""

_UNREACHED = 8
"""Iterations with unreached nodes after which dead graphs are looked for; each look doubles it."""

_LOOKS = 64
"""Backwards counted within one iteration; more of them say nothing new."""

_COLLECTIONS = 8
"""Full garbage collections the agent may ask for in a run; each may take tens of ms."""

_SAMPLES = 256
"""Looks at memory that may wait for an iteration to end; about two minutes' worth."""


@dataclass(slots=True)
class _Context:
    """Of one backward, from its start to its end."""

    at: float
    started: float
    sequence: int = 0
    """The number of the first node that the backward itself builds."""
    paused: bool = False
    """The window in which nodes are noted is closed while the engine runs."""
    doom: wire.Finding | None = None


@dataclass(frozen=True, slots=True)
class _Created:
    """A backward that built a graph of its own (create_graph): where, and which nodes."""

    site: Site | None
    numbers: range


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
        self._checking = checking
        self._window = window
        self._guard = guard
        self.verdicts = verdicts
        self._budget = budget
        self._post = post
        self._iterations = Iterations()
        self._lineage = Lineage(0)  # whatever was built before the first iteration is of it
        self._census = Census(self._lineage)
        self._carriers = Carriers(self._census.serial)
        self._gradients = Gradients()
        self._answers: dict[str, Callable[[], Answer]] = {
            "graph-held": self._held,
            "graph-unused": self._unused,
            "retain-needless": self._needless,
            "grads-accumulate": self._uncleared_at,
            "memory-climb": lambda: self._growth.answer(),
            "oom-forecast": lambda: self._growth.answer(),
        }
        """How to find out where a fault is, for the kinds that are looked into when told."""
        self._growth = Growth()
        self._last_created: Site | None = None
        """Where backward(create_graph=True) last left a graph in .grad."""
        self._unreached = 0
        """Iterations, since the last look for dead graphs, that built what no backward reached."""
        self._next_look = _UNREACHED
        self._sampler = MemorySampler() if checking is not None else None
        self._collections = 0
        self.samples: deque[wire.Memory] = deque(maxlen=_SAMPLES)
        """Looks at memory, left here by the agent's thread for the verdicts of this one."""
        self.ended = time.perf_counter()
        """When the last iteration ended, on the monotonic clock."""
        self.usual_s = 0.0
        self._granted = True
        """Whether this iteration is counted at any cost."""
        self._begin(due=True)

    @property
    def iteration(self) -> int:
        """The iteration under way, counted from 0."""
        return self._lineage.current

    def _begin(self, *, due: bool) -> None:
        self._due = due
        self._whole = due
        """Whether every backward of this iteration was counted."""
        self._backwards = 0
        self._backward_s = 0.0
        self._freeing = 0
        """Backwards of this iteration that freed their buffers."""
        self._uncleared = 0
        self._created: list[_Created] = []
        self._retained: list[Site | None] = []
        """Where backwards retained the graph that no other one has walked yet."""

    def before(self, run: Pass) -> None:
        """A backward is about to start."""
        entered = time.perf_counter()
        context = run.context = _Context(time.time(), entered)
        if torch_seam.sequence_number() < self._lineage.start:
            self._lineage.restart(torch_seam.sequence_number())
        for root in run.roots[:4]:
            self._lineage.mark(root)
        if self._due and self._census.looks < _LOOKS:
            if not self._backwards:
                self._uncleared = self._gradients.uncleared()
            self._look(run, context)
        else:
            self._whole = False
        context.paused = self._window.pause()
        context.sequence = torch_seam.sequence_number()
        context.started = time.perf_counter()
        self._budget.spend(context.started - entered, granted=self._granted)

    def _look(self, run: Pass, context: _Context) -> None:
        """Counts what this backward will reach, and sees whether it must fail."""
        try:
            look = self._census.look(run.roots, check_new=self._freeing > 0)
        except TooLarge:
            self._whole = False
            return
        if look.again:
            self._retained.clear()
        if look.freed is not None and not run.partial:
            found = self._doomed(look, run)
            context.doom = found[0] if found else None
        elif look.crossings and self.verdicts.wants_answer:
            answer = self._guard.call("diagnosis", of_chain, look.crossings, self._carriers)
            self.verdicts.learn("graph-chain", answer or Answer())

    def _doomed(self, look: Look, run: Pass) -> list[wire.Finding]:
        """Tells that this backward must fail, why, and where."""
        case = second_backward(self._doom(look))
        answer = None
        if look.fresh and look.crossings:
            answer = self._guard.call("diagnosis", of_chain, look.crossings, self._carriers)
        return self._tell(case, answer, run)

    def _doom(self, look: Look) -> Doom:
        return Doom(
            iteration=self.iteration,
            built=look.freed_generation,
            node=type(look.freed).__name__ if look.freed is not None else "",
            stale=look.stale,
            reached=look.fresh + look.stale + look.leaves,
            fresh=look.fresh > 0,
        )

    def after(self, run: Pass, error: BaseException | None) -> None:
        """The backward has ended, or raised."""
        ended = time.perf_counter()
        context: _Context = run.context
        taken_s = ended - context.started
        if context.paused:
            self._window.resume()
        self._backwards += 1
        self._backward_s += taken_s
        self._post(self._event(run, taken_s, error))
        if error is not None:
            self._failed(run, error)
        else:
            self._passed(run)
        run.roots.clear()  # a traceback may keep this object: it must not keep the graph
        self._budget.spend(time.perf_counter() - ended, granted=self._granted)

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

    def _passed(self, run: Pass) -> None:
        if run.context.doom is not None:
            doom = run.context.doom
            self._post(msgspec.structs.replace(doom, state="resolved", time=doom.time))
        if run.create_graph:
            numbers = range(run.context.sequence, torch_seam.sequence_number())
            self._created.append(_Created(run.site, numbers))
            if run.call == "backward":
                self._last_created = run.site
        elif run.retain_graph:
            self._retained.append(run.site)
        if not run.retain_graph:
            self._freeing += 1
            self._census.freed()
            self._lineage.spend(self.iteration)
            for root in run.roots[:4]:
                if (mark := sentinel_of(root)) is not None:
                    self._lineage.spend(mark.generation)
        exists = self.iteration < _FIRST and torch_seam.optimizer_exists()
        if self._iterations.backward(
            run.call, create_graph=run.create_graph, optimizer_exists=exists
        ):
            self.end()

    def _failed(self, run: Pass, error: BaseException) -> None:
        """Explains the error in a note of its own, and on the wire before anyone dies of it."""
        text = str(error)
        self._census.freed()
        found: list[wire.Finding] = []
        if run.context.doom is not None:
            found = [run.context.doom]
        elif torch_seam.SECOND_TIME in text:
            found = self._autopsy(run)
        elif torch_seam.INPLACE in text:
            found = self._tell(inplace_modified(self.iteration, text), None, run)
        elif torch_seam.NO_GRAPH in text:
            self._guard.call("diagnosis", self._without_graph, run, error)
        if found:
            explain(error, found[0].message, found[0])

    def _without_graph(self, run: Pass, error: BaseException) -> None:
        """No finding yet: the script may catch it. If it does not, it is why training crashed."""
        answer = of_graphless(run.site)
        explain(error, graphless_sentence(answer), answer)

    def _autopsy(self, run: Pass) -> list[wire.Finding]:
        """After a failure that was not foreseen, because this iteration was not counted."""
        try:
            look = self._census.look(run.roots, check_new=False)
        except TooLarge:
            look = Look()
        return self._doomed(look, run)

    def _tell(self, case: Case, answer: Answer | None, run: Pass) -> list[wire.Finding]:
        """Posts a fault of this backward; where nothing better is known, at the call itself."""
        site = run.site
        if answer is not None and answer.line is not None:
            case = answer.explain(case)
        elif site is not None:
            code = source_line(site.file, site.line)
            case = dataclasses.replace(case, file=site.file, line=site.line, code=code)
        found = self.verdicts.event(case, run.context.at, self.iteration)
        for finding in found:
            self._post(finding)
        return found

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer has stepped."""
        if self._due:
            self._gradients.stepped(serial, optimizer, call_site(sys._getframe()))  # noqa: SLF001
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
        now = time.perf_counter()
        sequence = torch_seam.sequence_number()
        record = self._dead(self._record(now, sequence))
        self._post(record)
        self._judge(record)
        self.usual_s += (record.duration_s - self.usual_s) * (0.1 if self.usual_s else 1.0)
        self.ended = now
        self._watch_closely()
        self._lineage.begin(sequence)
        self._census.begin()
        after = time.perf_counter()
        self._budget.spend(after - now, granted=self._granted)
        self._granted = (
            self.iteration < _FIRST or self.verdicts.suspicious or self._checking is not None
        )
        self._begin(due=self._granted or self._budget.allows(after))
        if self._checking is not None:
            self._checking.iteration_ended(record.number)

    def _judge(self, record: wire.Iteration) -> None:
        """Lets the verdicts see what is new, finds out what they will want to tell, and tells."""
        verdicts = self.verdicts
        verdicts.see(record)
        if self._sampler is not None:
            sample = self._sampler.look(record.at, record.number)
            self._post(sample)
            self.samples.append(sample)
        while self.samples:
            verdicts.see_memory(self.samples.popleft())
        if not self._growth.looked and (
            verdicts.climbing or (self._checking is not None and record.number == _FIRST)
        ):
            self._guard.call("diagnosis", self._growth.look)
        for kind in verdicts.untold:
            if kind not in verdicts.answers and kind in self._answers:
                answer = self._guard.call("diagnosis", self._answers[kind])
                verdicts.learn(kind, answer or Answer())
        for finding in verdicts.tell(record.at):
            self._post(finding)

    def _held(self) -> Answer:
        answer = of_held(self.iteration)
        if answer.holder is None and self._last_created is not None:
            return in_a_cycle(self._last_created)
        return answer

    def _dead(self, record: wire.Iteration) -> wire.Iteration:
        """The record, with a look for dead graphs if for long enough some went unreached."""
        if record.number and record.unused:
            self._unreached += 1
        if self._unreached < self._next_look:
            return record
        self._unreached, self._next_look = 0, 2 * self._next_look
        found = self._guard.call("diagnosis", dead_graphs, self._lineage)
        if found is None:
            return record
        count, answer = found
        if count:
            self._answers["graph-held"] = answer
        return msgspec.structs.replace(record, dead=count)

    def _unused_of(self, unreached: int) -> int:
        """Unreached nodes, but for what a graph of gradients that is used leaves aside."""
        for created in self._created:
            if reached := self._census.reached_among(created.numbers):
                unreached -= len(created.numbers) - reached
        return max(unreached, 0)

    def _unused(self) -> Answer:
        for created in self._created:
            if not self._census.reached_among(created.numbers):
                advice = "Leave create_graph=True away: no backward walks the graph that it builds."
                return dataclasses.replace(at(created.site), suggestion=advice)
        return of_unused(self._lineage.start, self._census.reaches)

    def _needless(self) -> Answer:
        return at(self._retained[-1] if self._retained else None)

    def _uncleared_at(self) -> Answer:
        return at(self._gradients.site)

    def _watch_closely(self) -> None:
        """In the first iterations, and while a chain shows: notes lines and names."""
        if self.number == 0:
            self._window.iteration_ended()
        unexplained = self.verdicts.suspicious and "graph-chain" not in self.verdicts.answers
        if unexplained or self._checking is not None:
            self._window.open(1)
        if unexplained or self.iteration < _NAMED or self._checking is not None:
            self._guard.call("diagnosis", self._carriers.remember)

    def _record(self, now: float, sequence: int) -> wire.Iteration:
        lineage = self._lineage
        counts = self._census.counts() if self._whole and self._census.looks else None
        before = counts.oldest if counts else None
        lineage.bury()
        suspicious = self.verdicts.would_collect(lineage.held(before), lineage.earlier())
        collected = suspicious and self._collect()
        record = wire.Iteration(
            number=self.iteration,
            at=time.time(),
            duration_s=now - self.ended,
            backward_s=self._backward_s,
            backwards=self._backwards,
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
            unused=self._unused_of(record.built - counts.fresh),
            retained=len(self._retained),
            uncleared=self._uncleared,
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
        gc.collect()
        self._lineage.bury()
        return True
