"""The long way through an iteration: its graphs are walked, its findings weighed and told.

Owns what is known of the iteration under way from its backwards' graphs; runs where an iteration
is counted, where a backward fails, and where one does what the short way does not understand.
Must not know where iterations end, nor when one is to be counted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import torch

from gradwatch_agent import torch_seam, wire
from gradwatch_agent.diagnosis.failing import Failing
from gradwatch_agent.diagnosis.inquiry import Inquiry
from gradwatch_agent.diagnosis.untrained import Untrained
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.reached import TooLarge
from gradwatch_agent.graph.sentinels import Sentinel, sentinel_of
from gradwatch_agent.graph.signs import Signs
from gradwatch_agent.graph.tally import Created, Tally
from gradwatch_agent.guard import Guard
from gradwatch_agent.lines.capture import Window
from gradwatch_agent.lines.sites import Lines, call_sites
from gradwatch_agent.torch_seam import Pass
from gradwatch_agent.verdicts import Verdicts

_LOOKS = 64
"""Backwards counted within one iteration; more of them say nothing new."""

_ROOTS = 4
"""Roots of one backward that are marked; the others are marked through what they share."""


class Context:
    """Of one backward, from its start to its end."""

    __slots__ = ("at", "doom", "met", "paused", "sequence", "walked")

    def __init__(self) -> None:
        self.at = time.time()
        self.sequence = 0
        """The number of the first node that the backward itself builds."""
        self.paused = False
        """The window in which nodes are noted is closed while the engine runs."""
        self.doom: wire.Finding | None = None
        self.met: set[Sentinel] = set()
        """The marks on what it frees, if it does, of earlier ones too that retained it."""
        self.walked = False
        """An earlier backward began at the same roots."""


class Survey:
    """Of one training thread. `post` takes messages without ever blocking."""

    def __init__(
        self,
        lineage: Lineage,
        verdicts: Verdicts,
        window: Window,
        guard: Guard,
        post: Callable[[wire.Message], None],
        *,
        thorough: bool,
    ) -> None:
        self.verdicts = verdicts
        self.signs = Signs(thorough=thorough)
        self._lineage = lineage
        self._window = window
        self._post = post
        self._census = Census(lineage)
        self._inquiry = Inquiry(verdicts, lineage, self._census, window, guard, thorough=thorough)
        self._failing = Failing(verdicts, self._census, self._inquiry, post)
        self._untrained = Untrained(verdicts, self._inquiry, post)
        self._stops_short = False
        """The last backward for given inputs that was looked at left out some weights."""
        self._tally = Tally(due=True)
        self._begun = 0
        """The number of the first node that the backward under way builds itself."""

    @property
    def suspicious(self) -> bool:
        """Whether the next iteration should be counted at any cost; asking uses up one of few."""
        return self._inquiry.suspicious()

    def rest(self) -> None:
        """No line of the user's is watched any more in this iteration."""
        self._inquiry.rest()

    def took_between_s(self) -> float:
        """What the agent's work amid the user's own lines took, in seconds."""
        return self._inquiry.took_between_s()

    def before(self, run: Pass) -> None:
        """A backward is about to start."""
        context = run.context = Context()
        if torch_seam.sequence_number() < self._lineage.start:
            self._lineage.restart(torch_seam.sequence_number())
        self._lineage.next_pass()
        roots = run.roots
        self._untrained.before(run, on_a_graph=bool(roots), at_s=context.at)
        context.walked = all(sentinel_of(root) is not None for root in roots[:_ROOTS])
        for root in roots[:_ROOTS]:
            self._lineage.mark(root)
        if self._tally.due and self._census.looks < _LOOKS:
            self._look(run, roots, context)
        else:
            self._tally.whole = False
        context.paused = self._window.pause()
        context.sequence = self._begun = torch_seam.sequence_number()

    def _look(self, run: Pass, roots: list[torch_seam.Node], context: Context) -> None:
        """Counts what this backward will reach, and sees whether it must fail."""
        tally = self._tally
        self._inquiry.asked_for(run.inputs)
        try:
            marks = not self.verdicts.detectors.chained
            look = self._census.look(roots, check_new=tally.freeing > 0, marks=marks)
        except TooLarge:
            tally.whole = False
            return
        context.met = look.met
        if run.partial:
            self._stops_short = run.stops_short_of(torch_seam.weights_at(look.at_leaves))
        built = torch_seam.sequence_number() - self._lineage.start
        self.signs.look(look, run, built, first=not self._lineage.current)
        if run.call == "backward":
            uncleared = self._inquiry.gradients.uncleared(look.addresses)
            tally.uncleared = max(tally.uncleared, uncleared)
        if look.again:
            tally.walk_again(look.met)
        if look.freed is not None and not run.partial:
            context.doom = self._failing.foresee(look, run, context.at, self._lineage.current)
        elif look.users and self._inquiry.wants_chain and (look.fresh or not context.walked):
            # Where an iteration seems to end between two walks of one loss, the second shows none.
            self._inquiry.learn_chain(look.crossings(), roots, walked=not look.stops_at(run.ends))

    def within(self, outputs: Sequence[Any]) -> None:
        """A backward is about to start inside the one under way."""
        roots = torch_seam.roots_of(outputs)
        self._tally.hidden |= any(torch_seam.sequence_of(root) < self._begun for root in roots)

    def after(self, run: Pass) -> None:
        """The backward has ended."""
        context: Context = run.context
        if context.paused:
            self._window.resume()
        if not self._lineage.current:
            self.signs.after()
        lines: Lines = call_sites(sys._getframe()) if self._tally.due else ()  # noqa: SLF001
        if self._tally.due:
            frees, accumulates = not run.retain_graph, run.call == "backward" and not run.partial
            self._failing.passes.passed(run.roots, lines, frees=frees, accumulates=accumulates)
        if context.doom is not None:
            self._failing.averted(context.doom)
        self._note(run, lines, range(context.sequence, torch_seam.sequence_number()))
        if not run.retain_graph:
            self._spend(run)

    def failed(self, run: Pass, error: BaseException) -> None:
        """The backward raised, whether it was looked at before or not."""
        context: Context = run.context or Context()
        if context.paused:
            self._window.resume()
        self._census.freed()
        self._tally.whole = False  # what it would have reached is the failure's to tell
        self._failing.passes.walked_at = self._lineage.walked_at
        self._failing.failed(run, error, context.doom, context.at, self._lineage.current)

    def _note(self, run: Pass, lines: Lines, inside: range) -> None:
        """What the backward did besides; `inside` are the nodes that it built itself."""
        if run.is_torchs_own:
            self._tally.inside += len(inside)
            return
        if run.create_graph:
            self._tally.created.append(Created(run.site, inside))
            if run.call == "backward":
                self._inquiry.left_in_grad(run.site)
            return
        self._tally.inside += len(inside)
        if run.retain_graph:
            self._tally.retain(lines, run.context.met)

    def _spend(self, run: Pass) -> None:
        """The backward freed the buffers of what it walked."""
        self._tally.freeing += 1
        self._census.freed()
        if run.partial and self._stops_short:
            return  # most of it may be waiting for a backward of its own
        self._lineage.spend(self._lineage.current)
        for mark in run.context.met:
            self._lineage.spend(mark.generation, mark)
        for root in run.roots[:_ROOTS]:
            if (mark := sentinel_of(root)) is not None:
                self._lineage.spend(mark.generation, mark)

    def stepped(self, serial: int, optimizer: torch.optim.Optimizer, lines: Lines) -> None:
        """An optimizer has stepped."""
        self._inquiry.gradients.stepped(serial, optimizer, next(iter(lines), None))
        self._failing.passes.stepped(optimizer, lines)

    def complete(self, record: wire.Iteration) -> wire.Iteration:
        """The record of the iteration that has just ended, with all that was counted in it."""
        self._inquiry.iteration_over()
        lineage, tally = self._lineage, self._tally
        counted = tally.due and tally.whole and self._census.looks > 0
        counts = self._census.counts() if counted else None
        before = counts.oldest if counts else None
        lineage.bury()
        held, live = lineage.held(before), lineage.earlier()
        collected = self.verdicts.detectors.suspects(held, live) and self._inquiry.proofs.held(
            held, live, before
        )
        record = msgspec.structs.replace(
            record, live=lineage.earlier(), held=lineage.held(before), collected=collected
        )
        if counts is None:
            return self._inquiry.proofs.dead(record)
        record = msgspec.structs.replace(
            record,
            reached=counts.reached,
            stale=counts.stale,
            # What is walked an iteration late was not built in vain.
            unused=tally.unused(
                record.built - counts.fresh - counts.late, self._census.reached_among
            ),
            outdated=counts.outdated,
            retained=len(tally.needless),
            uncleared=tally.uncleared,
            oldest=counts.oldest,
            proven=counts.proven,
            saved_bytes=counts.saved_bytes,
            storages=counts.storages,
            types=counts.types,
        )
        return self._inquiry.proofs.dead(record)

    def judge(self, record: wire.Iteration) -> None:
        """Finds out what the verdicts, which have seen the record, will want to tell; and tells."""
        self._inquiry.prepare(self._tally, record)
        for finding in self.verdicts.tell(record.at):
            self._post(finding)

    def end(self) -> None:
        """No more iterations come: how far what is open has come by now."""
        self._inquiry.recount()
        for finding in self.verdicts.last(time.time()):
            self._post(finding)

    def close(self, number: int) -> None:
        """The iteration is over and told."""
        self._inquiry.watch_closely(number)

    def begin(self, *, due: bool) -> None:
        """The next one begins. `due`: it is to be counted."""
        self._census.begin()
        self.signs.begin()
        self._tally = Tally(due=due, needed=self._tally.needed)
        self._failing.passes.begin(self._lineage.start, heard=due)
