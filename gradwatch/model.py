"""A job's state, folded from its messages. The one thing every screen and watcher reads.

Owns what is remembered of a job and what its state is called. Must not know zmq, textual,
files or clocks: the time comes in by argument. Pure.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Final, Literal, TypeAlias

import msgspec

from gradwatch_agent import wire
from gradwatch_agent.journal import Series, fold_iterations, fold_memory

PAUSED: Final = "The job is paused"
"""How the message begins of a `lost` that is none: the process has been stopped, and will go on."""

JobState: TypeAlias = Literal["joining", "live", "paused", "stalled", "lost", "finished", "crashed"]

_ITERATIONS = 8_192
_MEMORY = 4_096
_BACKWARDS = 1_024
_FINDINGS = 1_024

Quiet: TypeAlias = Literal["known", "muted"]


@dataclass(frozen=True, slots=True)
class Link:
    """What the source knows of the connection itself; not a wire message."""

    up: bool
    why: str = ""
    at: float = 0.0
    paused: bool = False
    """The job's process was stopped by a signal, and may go on."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Frames that could not be used: `newer` versions, `garbage`, or `lost` for good; `endless`
    ones, for which a job is not listened to any more.
    """

    newer: int = 0
    garbage: int = 0
    lost: int = 0
    endless: int = 0


Event: TypeAlias = wire.Message | Link | Trouble
"""What a source delivers."""


@dataclass(slots=True)
class Job:
    """One process under watch. `key` is unique among the jobs a viewer shows."""

    key: str
    name: str = ""
    hello: wire.Hello | None = None
    beat: wire.Beat | None = None
    bye: wire.Bye | None = None
    link: Link = field(default_factory=lambda: Link(up=False))
    trouble: Trouble = field(default_factory=Trouble)
    iterations: Series[wire.Iteration] = field(
        default_factory=lambda: Series(_ITERATIONS, fold_iterations)
    )
    memory: Series[wire.Memory] = field(default_factory=lambda: Series(_MEMORY, fold_memory))
    backwards: deque[wire.Backward] = field(default_factory=lambda: deque(maxlen=_BACKWARDS))
    findings: dict[str, wire.Finding] = field(default_factory=dict)
    """By id, in the order they were first raised; each in its newest state."""
    quiet: dict[str, Quiet] = field(default_factory=dict)
    """Findings, by id, that whoever looks has seen: `known`, until they get worse; `muted`."""
    census: wire.Iteration | None = None
    """The newest iteration whose graph was counted by type."""
    revision: int = 0
    """Grows with every fold; tells a screen whether to draw again."""

    def still(self) -> Job:
        """As it is now, for good; the records themselves are shared."""
        return replace(
            self,
            iterations=self.iterations.copy(),
            memory=self.memory.copy(),
            backwards=self.backwards.copy(),
            findings=self.findings.copy(),
            quiet=self.quiet.copy(),
        )

    def fold(self, event: Event) -> None:
        """Takes one event into account."""
        self.revision += 1
        match event:
            case wire.Iteration():
                self.iterations.append(event, event.count)
                if event.types is not None:
                    self.census = event
            case wire.Memory():
                self.memory.append(event)
            case wire.Backward():
                self.backwards.append(event)
            case wire.Finding():
                self._fold_finding(event)
            case wire.Beat():
                self.beat = event
            case wire.Bye():
                self.bye = event
                self._found_again()
            case wire.Hello():
                self.hello, self.name = event, event.job
            case Link():
                self._fold_link(event)
            case Trouble():
                self.trouble = Trouble(
                    self.trouble.newer + event.newer,
                    self.trouble.garbage + event.garbage,
                    self.trouble.lost + event.lost,
                    self.trouble.endless + event.endless,
                )

    def _fold_finding(self, finding: wire.Finding) -> None:
        """A known one speaks up again when it becomes graver, or begins anew; a muted one never."""
        name = finding.id or finding.kind
        before, self.findings[name] = self.known(finding), finding
        if len(self.findings) > _FINDINGS:  # no agent of ours has a tenth as many
            first = next((n for n, f in self.findings.items() if f.state == "resolved"), None)
            del self.findings[first or next(iter(self.findings))]
        if before is not None and finding.state != "resolved":
            is_graver = wire.LEVELS.index(finding.level) > wire.LEVELS.index(before.level)
            worse = is_graver or before.state == "resolved"
            if worse and self.quiet.get(name) == "known":
                del self.quiet[name]

    def known(self, finding: wire.Finding) -> wire.Finding | None:
        """The state of the same finding that was told last."""
        return self.findings.get(finding.id or finding.kind)

    def hush(self, finding: wire.Finding, how: Quiet) -> None:
        """Tells it no more, or again."""
        name = finding.id or finding.kind
        if self.quiet.get(name) == how:
            del self.quiet[name]
        else:
            self.quiet[name] = how
        self.revision += 1

    def hushed(self, finding: wire.Finding) -> Quiet | None:
        """How it is not to be told; None if it is."""
        return self.quiet.get(finding.id or finding.kind)

    def _fold_link(self, link: Link) -> None:
        """A link that breaks without a farewell is a finding; one that comes back resolves it."""
        before, self.link = self.link, link
        if link.up:
            self._found_again()
        elif self.bye is None and (before.up or (before.paused != link.paused and self.hello)):
            self.findings["lost"] = self._lost(link, "raised" if before.up else "updated")

    def _found_again(self) -> None:
        if lost := self.findings.get("lost"):
            self.findings["lost"] = msgspec.structs.replace(lost, state="resolved")

    def _lost(self, link: Link, state: wire.State) -> wire.Finding:
        hello = self.hello or wire.Hello(run=self.key, job=self.name, host="", pid=0, started=0)
        time = datetime.fromtimestamp(link.at, timezone.utc).isoformat(timespec="milliseconds")
        return wire.Finding(
            kind="lost",
            level="warning",
            state=state,
            time=time.replace("+00:00", "Z"),
            run=hello.run,
            job=hello.job,
            host=hello.host,
            pid=hello.pid,
            rank=hello.rank,
            iteration=self.number,
            since_iteration=self.number,
            message=(
                f"{PAUSED if link.paused else 'The job is lost'} after iteration {self.number}: "
                f"{link.why}."
            ),
            id="lost",
        )

    @property
    def number(self) -> int:
        """The newest iteration known, -1 before the first."""
        newest = self.iterations[-1].number if len(self.iterations) else -1
        return max(newest, self.beat.iteration if self.beat else -1)

    @property
    def state(self) -> JobState:
        """What to call the job now."""
        if self.bye is not None:
            return "crashed" if self.bye.reason == "crashed" else "finished"
        if not self.link.up:
            if not self.hello:
                return "joining"
            return "paused" if self.link.paused else "lost"
        stalled = self.findings.get("stalled")
        return "stalled" if stalled and stalled.state != "resolved" else "live"

    @property
    def open_findings(self) -> list[wire.Finding]:
        """Unresolved and not quiet, the gravest first, then the oldest."""
        findings = self.findings.values()
        unresolved = [f for f in findings if f.state != "resolved" and not self.hushed(f)]
        return sorted(unresolved, key=lambda f: -wire.LEVELS.index(f.level))

    @property
    def quiet_findings(self) -> list[wire.Finding]:
        """Unresolved ones that are not to be told."""
        return [f for f in self.findings.values() if f.state != "resolved" and self.hushed(f)]

    @property
    def top(self) -> wire.Finding | None:
        """The finding to show if there is room for one."""
        return next(iter(self.open_findings), None)

    @property
    def rate_per_s(self) -> float | None:
        """Iterations per second over the last records; None before there are two."""
        recent = [self.iterations[i] for i in range(-min(len(self.iterations), 20), 0)]
        if len(recent) < 2 or recent[-1].at <= recent[0].at:
            return None
        return (recent[-1].number - recent[0].number) / (recent[-1].at - recent[0].at)
