"""What is the matter with a job, in the words of the screen.

Owns the titles, and which of all facts make up the verdict. Must not know textual, colours
or clocks. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gradwatch.model import PAUSED, Job, Quiet
from gradwatch.tui import facts
from gradwatch_agent import wire
from gradwatch_agent.verdicts.case import holder_label

TITLES: Final = {
    "graph-chain": "GRAPH GROWS",
    "graph-held": "GRAPH HELD",
    "second-backward": "BACKWARD TWICE",
    "inplace-modified": "CHANGED IN PLACE",
    "retain-needless": "RETAIN NEEDLESS",
    "graph-unused": "GRAPH UNUSED",
    "grads-accumulate": "GRADIENTS ACCUMULATE",
    "memory-climb": "MEMORY CLIMBS",
    "oom-forecast": "OUT OF MEMORY SOON",
    "stalled": "STALLED",
    "lost": "LOST",
    "crashed": "CRASHED",
}

GLYPHS: Final = {"good": "✓", "info": "○", "warning": "△", "critical": "▲", "quiet": "■"}

_QUIET: Final[dict[Quiet, str]] = {
    "known": "not told again until it gets worse; a takes that back.",
    "muted": "not told again, even if it gets worse; m takes that back.",
}

_END_LEVELS: Final = {
    "crashed": "critical",
    "lost": "warning",
    "paused": "warning",
    "finished": "quiet",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One job's state of health, or one of its findings."""

    title: str
    level: str
    """Key of `GLYPHS`, and the name of an ink."""
    message: str
    when: str = ""
    facts: str = ""
    """What is measured right now."""
    ahead: str = ""
    """What will come of it; said though there is no room for the facts."""
    costs: str = ""
    """What it costs in time; said where there is room."""
    place: str = ""
    code: str = ""
    holder: str = ""
    label: str = ""
    """What stands before the holder."""
    change: str = ""
    end: str = ""
    """How and when the job ended, if it did."""


def subject(job: Job, chosen: wire.Finding | None = None) -> wire.Finding | None:
    """The finding that the verdict is about, if it is about one."""
    return chosen or job.top


def title_of(finding: wire.Finding) -> str:
    """The finding's name on the screen; an unknown kind speaks for itself."""
    if finding.kind == "lost" and PAUSED in finding.message:
        return "PAUSED"
    return TITLES.get(finding.kind, finding.kind.replace("-", " ").upper())


def verdict(job: Job, now: float, chosen: wire.Finding | None = None) -> Verdict:
    """The chosen finding, else the top one, else what is known to be well."""
    finding = subject(job, chosen)
    if finding is None or (chosen is None and finding.level == "info"):
        return _no_fault(job, now, finding)
    title = title_of(finding)
    if finding.state == "resolved":
        return _of_finding(job, now, finding, f"RESOLVED: {title}", "quiet")
    if job.state in facts.ENDS and title != job.state.upper():
        title = f"{job.state.upper()} · {title}"
    return _of_finding(job, now, finding, title, finding.level)


def _of_finding(job: Job, now: float, finding: wire.Finding, title: str, level: str) -> Verdict:
    goes_on = finding.state != "resolved"
    return Verdict(
        title=title,
        level=level,
        message=finding.message,
        when=facts.since(job, finding, now),
        facts=facts.measured(job, finding) if goes_on else "",
        ahead=facts.forecast(job, finding) if goes_on else "",
        costs=facts.slower(job, finding),
        place=facts.place_of(job, finding.file, finding.line),
        code=finding.code or "",
        holder=finding.holder or "",
        label=holder_label(finding.kind),
        change=finding.suggestion or "",
        end=facts.ended(job, now, finding.message),
    )


def _no_fault(job: Job, now: float, hint: wire.Finding | None) -> Verdict:
    """A job without a fault: alive, or ended, or not yet begun."""
    state, seen = job.state, job.number + 1
    if state == "joining":
        why = f": {job.link.why}" if job.link.why else ""
        return Verdict("CONNECTING", "quiet", f"Waiting for the job to answer{why}.")
    if state in facts.ENDS:
        title = "FINISHED HEALTHY" if state == "finished" and seen else state.upper()
        health = facts.health(job) if seen else ""
        return Verdict(title, _END_LEVELS[state], facts.ended(job, now), facts=health)
    if not seen:
        return Verdict("STARTING", "quiet", "The agent is in the job; no iteration has ended yet.")
    known = [finding for finding in job.quiet_findings if finding.level != "info"]
    if hint is not None:
        name = f"A HINT: {title_of(hint)}"
        if known:
            return _of_finding(job, now, hint, name, "quiet")
        return _of_finding(job, now, hint, f"HEALTHY, {name}", "good")
    unchecked = facts.unchecked(job)
    if known:
        title = f"NOTHING NEW · {', '.join(title_of(one) for one in known)}"
        return Verdict(title, "quiet", _told_no_more(job, known), facts=unchecked)
    title = "HEALTHY" if seen >= facts.SURE else "HEALTHY SO FAR"
    return Verdict(title, "good", facts.health(job), when=facts.watched(job), facts=unchecked)


def _told_no_more(job: Job, known: list[wire.Finding]) -> str:
    """How each was put aside, and how it comes back; by name where that is not the same for all."""
    names: dict[Quiet, list[str]] = {}
    for finding in known:
        if how := job.hushed(finding):
            names.setdefault(how, []).append(title_of(finding))
    parts = []
    for how, titles in names.items():
        whose = f" ({', '.join(titles)})" if len(names) > 1 else ""
        parts.append(f"{how.title()}{whose}: {_QUIET[how]}")
    return " ".join(parts)
