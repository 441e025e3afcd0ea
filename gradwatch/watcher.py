"""What a headless watcher says: each change of a finding as lines, each oddity once.

Owns which changes are worth a line and how they read. Must not know sockets, files or clocks:
events and the time come in, lines go out through callables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from gradwatch.model import Event, Job, Link, Trouble
from gradwatch_agent import wire

UPDATE_EVERY_S: Final = 60.0
"""How often one finding's mere change of numbers is worth a line."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What was last said of a finding, and when (monotonic seconds)."""

    finding: wire.Finding
    at: float


@dataclass(slots=True)
class Watcher:
    """Folds the events of many jobs.

    `say` gets the lines for whoever reads, `note` remarks about the watching itself, `log`
    every change of every finding.
    """

    say: Callable[[str], None]
    note: Callable[[str], None]
    log: Callable[[wire.Finding], None] | None = None
    jobs: dict[str, Job] = field(default_factory=dict)
    levels: set[wire.Level] = field(default_factory=set)
    """The levels at which anything was found."""
    _told: dict[tuple[str, str], _Told] = field(default_factory=dict)
    _noted: set[tuple[str, str]] = field(default_factory=set)

    def take(self, key: str, event: Event, now: float) -> None:
        """Takes one event of one job; `now` is monotonic, in seconds."""
        job = self.jobs.setdefault(key, Job(key))
        before = dict(job.findings) if isinstance(event, wire.Finding | Link) else job.findings
        job.fold(event)
        for name, finding in job.findings.items():
            if before.get(name) != finding:
                self._changed(job, name, finding, now)
        match event:
            case wire.Hello():
                late = "; what began before the agent came in is unknown" if event.attached else ""
                self._once(job, "hello", f"watching {place(job)} (pid {event.pid}){late}")
            case wire.Bye():
                self._once(job, "bye", farewell(job, event))
            case Trouble():
                self._troubled(job)

    @property
    def all_over(self) -> bool:
        """Whether every job seen has said farewell or was lost; true before the first."""
        return all(
            job.bye is not None or (job.link.why and not job.link.up) for job in self.jobs.values()
        )

    def found(self, level: wire.Level) -> bool:
        """Whether anything was found at this level or above."""
        return any(wire.LEVELS.index(seen) >= wire.LEVELS.index(level) for seen in self.levels)

    def _changed(self, job: Job, name: str, finding: wire.Finding, now: float) -> None:
        if self.log is not None:
            self.log(finding)
        self.levels.add(finding.level)
        last = self._told.get((job.key, name))
        if last and not _worth_saying(last, finding, now):
            return
        self._told[job.key, name] = _Told(finding, now)
        self.say("\n".join(lines(place(job), finding, last.finding if last else None)))

    def _troubled(self, job: Job) -> None:
        if job.trouble.newer:
            self._once(
                job,
                "newer",
                f"{place(job)} speaks a newer version than this gradwatch reads; what it could "
                "not read is left out (pip install -U gradwatch)",
            )
        if job.trouble.garbage:
            self._once(job, "garbage", f"{place(job)} sends messages that make no sense; skipped")
        if job.trouble.endless:
            self._once(
                job,
                "endless",
                f"{place(job)} sends a message without end; nobody listens to it any more",
            )
        if job.trouble.lost:
            self._once(job, "gap", f"some records of {place(job)} were lost on the way")

    def _once(self, job: Job, what: str, text: str) -> None:
        if (job.key, what) not in self._noted:
            self._noted.add((job.key, what))
            self.note(text)


def _worth_saying(last: _Told, finding: wire.Finding, now: float) -> bool:
    """Whether a change is more than numbers moving on, or they have moved for long enough."""
    if finding.state != last.finding.state and finding.state != "updated":
        return True
    if finding.level != last.finding.level or _details(finding) != _details(last.finding):
        return True
    return now - last.at >= UPDATE_EVERY_S


def place(job: Job) -> str:
    """The job's name, with its rank where it is one of several."""
    name = job.name or job.key
    return f"{name}/{job.hello.rank}" if job.hello and job.hello.world_size > 1 else name


def farewell(job: Job, bye: wire.Bye) -> str:
    """How a job ended."""
    how = {"crashed": "crashed", "stopped": "is watched no more"}.get(bye.reason, "finished")
    return f"{place(job)} {how} after {length(job)}"


def length(job: Job) -> str:
    """How many iterations it has done."""
    count = job.number + 1
    return f"{count:,} iteration{'' if count == 1 else 's'}"


def lines(where: str, finding: wire.Finding, last: wire.Finding | None = None) -> Iterator[str]:
    """A finding's change as text; the details only where `last` did not tell them already."""
    yield (
        f"{finding.time} {where} {finding.level} {finding.kind} {finding.state} "
        f"at iteration {finding.iteration}: {finding.message}"
    )
    if finding.state == "resolved" or (last is not None and _details(last) == _details(finding)):
        return
    if finding.file is not None:
        yield f"  {finding.file}:{finding.line}  {finding.code or ''}".rstrip()
    if finding.suggestion is not None:
        yield f"  change: {finding.suggestion}"


def _details(finding: wire.Finding) -> tuple[object, ...]:
    return finding.file, finding.line, finding.code, finding.suggestion
