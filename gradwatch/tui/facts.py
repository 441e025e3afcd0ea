"""Sentences about a job, each made from its measurements.

Owns what is said of the graph, of memory's end, of beginnings and of endings. Must not know
which of it is the verdict, textual, colours or clocks. Pure.
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime
from pathlib import PurePosixPath
from statistics import median
from typing import Final

from gradwatch.model import Job
from gradwatch.tui.units import about, clock, duration, share, size, whole
from gradwatch_agent import wire

ENDS: Final = ("finished", "crashed", "lost", "paused")
"""States in which nothing moves any more."""

NOW: Final = "By now"
"""How a newer number is told beside that of a finding, which stays what it was when told."""

_RECENT: Final = 50
"""Iterations; a count that is older is told with its date."""

_HORIZON_S: Final = 2 * 86_400.0
"""A forecast beyond it is no news: the rate it rests on will not hold that long."""

SURE: Final = 20
"""Iterations after which what was seen of a job is more than its beginning."""

_WARM_UP: Final = 3
"""Records at a job's beginning that may take longer than those that follow."""

_SAMPLE: Final = 5
"""Records of which the median tells how long an iteration takes: one odd one does not count."""

_SLOWER: Final = 2.0
"""An iteration that takes this many times as long as at first is clearly slower."""

_BEGINNING: Final = 8
"""One part in so many of the looks at memory; it rises while a job comes to what it needs."""

_RISEN_BYTES: Final = 32_000_000
_RISEN: Final = 0.05
"""More than that is not called no climb: in bytes, and as a share of what was there."""

_PLACE_PARTS: Final = 2
"""Of a path outside the script's own directory, this many last parts are shown."""


def health(job: Job) -> str:
    """What was looked at and found well, in numbers."""
    parts = [_graph(job)]
    if len(job.iterations) and not job.iterations[-1].held:
        parts.append("No earlier graph is held.")
    if job.backwards and not any(call.error for call in job.backwards):
        parts.append("Every backward succeeded.")
    if len(job.memory) and "memory-climb" not in {f.kind for f in job.open_findings}:
        parts.append(_memory(job))
    return " ".join(parts)


def _memory(job: Job) -> str:
    """What can be said of memory where no finding is: also that it is too early to."""
    last = job.memory[-1]
    now, settled = size(last.rss_bytes), [s for s in job.memory if s.iteration >= SURE]
    if not settled:
        return f"Memory is {now}: too early to say whether it climbs."
    first = settled[len(settled) // _BEGINNING]
    risen = last.rss_bytes - first.rss_bytes
    if risen < max(_RISEN_BYTES, _RISEN * first.rss_bytes):
        return f"No steady climb of memory, now {now}."
    since = f"since iteration {whole(first.iteration)}"
    return f"Memory has risen by {size(risen)} {since}, now {now}: not long enough to say why."


def _graph(job: Job) -> str:
    census = job.census
    if census is None or census.reached is None:
        return "The graph was not counted yet."
    reached = f"The loss reaches {whole(census.reached)} nodes"
    if job.number - census.number > _RECENT:
        reached = (
            f"When last counted, in iteration {whole(census.number)}, the loss reached "
            f"{whole(census.reached)} nodes"
        )
    if not census.stale:
        return f"{reached}, all built in its own iteration."
    back = f", {census.number - census.oldest} back at most" if census.oldest is not None else ""
    grows = "that does not grow" if job.number >= SURE else "too early to say whether that grows"
    return f"{reached}, {whole(census.stale)} of earlier iterations{back}; {grows}."


def unchecked(job: Job) -> str:
    """What health was not proven for."""
    off = ", ".join(job.beat.off) if job.beat else ""
    said = [f"Not checked, switched off after a failure: {off}."] if off else []
    return " ".join(said)


def watched(job: Job) -> str:
    """How much was seen."""
    seen = job.number + 1
    late = job.hello is not None and job.hello.attached
    return f"{whole(seen)} iteration{'' if seen == 1 else 's'} watched" + (
        "; what began before the agent came in is unknown" if late else ""
    )


def measured(job: Job, finding: wire.Finding) -> str:
    """The newest measurement behind a graph's finding; its message may be older."""
    census = job.census
    if finding.kind == "graph-chain" and census and census.reached and census.stale is not None:
        part = share(census.stale / census.reached)
        is_old = job.number - census.number > _RECENT
        when = f"In iteration {whole(census.number)}, when last counted," if is_old else NOW
        verb = "were" if is_old else "are"
        oldest = census.oldest
        back = f"{whole(census.number - oldest)} iterations: " if oldest is not None else ""
        old = f"{whole(census.stale)} of {whole(census.reached)} nodes {verb} old"
        return f"{when} {back}{old} ({part})."
    if finding.kind == "graph-held" and len(job.iterations):
        newest = job.iterations[-1]
        if newest.count == 1:  # of iterations that went by unseen nobody counted the graphs
            least = "at least " if "at least" in finding.message else ""
            return f"{NOW} {least}{whole(newest.held)} earlier graphs are held."
        # Most go by unseen: what is held of the few that were looked at tells no total.
        held = f"{NOW} {whole(newest.held)} of the graphs looked at are held."
        return held if newest.held else ""
    return ""


def told_at(finding: wire.Finding) -> float:
    """When it was last told, seconds since the epoch; endlessly late if that is not readable."""
    try:
        return datetime.fromisoformat(finding.time.replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError):
        return float("inf")


def told_in(job: Job, finding: wire.Finding) -> int:
    """The iteration under way when the finding was last told; the newest if that is not known."""
    index = bisect_left(job.iterations, told_at(finding), key=lambda record: record.at)
    return job.iterations[index].number if index < len(job.iterations) else job.number


def left(job: Job, finding: wire.Finding) -> int | None:
    """Iterations until memory is full, less those that have passed since that was told."""
    if finding.eta_iterations is None or job.state in ENDS:
        return None
    return max(finding.eta_iterations - max(job.number - told_in(job, finding), 0), 1)


def forecast(job: Job, finding: wire.Finding) -> str:
    """When memory will be full, if that can be told."""
    iterations, rate = left(job, finding), job.rate_per_s
    if iterations is None:
        return ""
    left_s = iterations / rate if rate else None
    if left_s is not None and left_s > _HORIZON_S:
        return ""
    within = f", {duration(left_s)}" if left_s is not None else ""
    return f"Memory is full in about {about(iterations)} iterations{within}."


def slower(job: Job, finding: wire.Finding) -> str:
    """What a chain costs in time: a longer graph takes longer to walk, in each iteration."""
    if finding.kind != "graph-chain" or finding.state == "resolved":
        return ""
    took = [record.duration_s for record in job.iterations if record.lane == 0][_WARM_UP:]
    if len(took) < 2 * _SAMPLE:
        return ""
    first, newest = median(took[:_SAMPLE]), median(took[-_SAMPLE:])
    if not 0 < first * _SLOWER <= newest < float("inf"):
        return ""
    verb = "took" if job.state in ENDS else "takes"
    late = job.hello is not None and job.hello.attached
    before = "when the agent came in" if late else "at first"
    return f"An iteration {verb} {duration(newest)}, {duration(first)} {before}."


def since(job: Job, finding: wire.Finding, now: float) -> str:
    """`since iteration 2, 25 s ago`; without the time where that is no longer remembered."""
    first = finding.since_iteration
    words = f"since iteration {whole(first)}"
    at = bisect_left(job.iterations, first, key=lambda record: record.number)
    if at == len(job.iterations) or (at == 0 and job.iterations[0].count > 1):
        return words
    return f"{words}, {_ago(job.iterations[at].at, now)}"


def ended(job: Job, now: float, told: str = "") -> str:
    """When and how the job ended; empty while it lives. Its error, unless that is `told`."""
    after = f"after iteration {whole(job.number)}" if job.number >= 0 else "before iteration 0"
    if job.bye is not None:
        how = "The agent was stopped" if job.bye.reason == "stopped" else job.bye.reason.title()
        error = (job.bye.error or "").rstrip(".")
        why = f": {error}." if error and error not in told else "."
        return f"{how} at {clock(job.bye.at)}, {_ago(job.bye.at, now)}, {after}{why}"
    if job.state in ("lost", "paused"):
        why = f": {job.link.why}." if job.link.why else "."
        return (
            f"{job.state.title()} at {clock(job.link.at)}, {_ago(job.link.at, now)}, {after}{why}"
        )
    return ""


def ended_ago(job: Job, now: float) -> str:
    """How long ago that was: "3 s ago"; empty while it lives."""
    at = job.bye.at if job.bye is not None else job.link.at
    return _ago(at, now) if job.state in ENDS else ""


def place_of(job: Job, file: str | None, line: int | None) -> str:
    """`train.py:19`, as short as it is still clear."""
    if not file:
        return ""
    path, home = _path(file), _path(job.hello.script if job.hello else "").parent
    if is_script(job, file):
        path = PurePosixPath(path.name)
    elif path.is_absolute() and home.is_absolute() and path.is_relative_to(home):
        path = path.relative_to(home)
    shown = "/".join(path.parts[-_PLACE_PARTS:]) if path.is_absolute() else str(path)
    return f"{shown}:{line}" if line is not None else shown


def is_script(job: Job, file: str | None) -> bool:
    """Whether that is the script that was started: its name may have been typed as it is seen from
    the directory it was started in.
    """
    script, path = _path(job.hello.script if job.hello else ""), _path(file or "")
    if path == script:
        return bool(script.name)
    typed = tuple(part for part in script.parts if part != "..")
    return bool(typed) and not script.is_absolute() and path.parts[-len(typed) :] == typed


def _path(file: str) -> PurePosixPath:
    return PurePosixPath(file.replace("\\", "/"))


def _ago(at: float, now: float) -> str:
    """Whole seconds: a number that flickers cannot be read."""
    passed = now - at
    return f"{duration(round(passed)) if 0 <= passed < float('inf') else '0 s'} ago"
