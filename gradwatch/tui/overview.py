"""The table of all jobs: one row each, with its newest numbers.

Owns the columns and the words in the cells. Must not know widgets, colours or clocks. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gradwatch.model import Job, JobState
from gradwatch.tui import units
from gradwatch.tui.facts import ENDS, ended
from gradwatch.tui.figures import device_bytes, fullest
from gradwatch.tui.lines import Line
from gradwatch.tui.plots import spark
from gradwatch.tui.tables import Column
from gradwatch.tui.verdict import GLYPHS, title_of
from gradwatch_agent.wire import LEVELS

STATES: Final[dict[JobState, tuple[str, str]]] = {
    "joining": ("◌", "quiet"),
    "live": ("●", "good"),
    "stalled": ("◐", "warning"),
    "lost": ("○", "warning"),
    "finished": ("■", "quiet"),
    "crashed": ("✗", "critical"),
}
"""Glyph and ink: a state can be told without colour."""

_SPARK_CELLS: Final = 8
_SPARK_RECORDS: Final = 64
"""Records looked at for the tiny history, evenly spread over the whole one."""

COLUMNS: Final = (
    Column("job", 18, grow=2, keeps="ends"),
    Column("host", 8, rank=8),
    Column("rank", 4, right=True, rank=1),
    Column("state", 10),
    Column("it/s", 5, right=True, rank=3),
    Column("nodes", 7 + _SPARK_CELLS, rank=2),
    Column("stale", 5, right=True, rank=5),
    Column("saved", 7, right=True, rank=7),
    Column("RSS", 7, right=True, rank=4),
    Column("device", 9, right=True, rank=6),
    Column("agent", 6, right=True, rank=9),
    Column("top finding", 20, grow=3),
)


@dataclass(frozen=True, slots=True)
class JobItem:
    """One row, in words already: the job goes on while the row stands."""

    key: str
    cells: tuple[Line, ...]


def state_piece(job: Job) -> tuple[str, str]:
    """The state as glyph and word."""
    glyph, ink = STATES[job.state]
    return f"{glyph} {job.state}", ink


def gravest_first(jobs: Iterable[Job]) -> list[Job]:
    """By their top findings; among equals the one that came first."""
    return sorted(jobs, key=lambda job: -LEVELS.index(job.top.level) if job.top else 1)


def summary(jobs: Iterable[Job]) -> list[Line]:
    """How many there are, and of each state."""
    states = Counter(job.state for job in jobs)
    total = states.total()
    words: list[Line] = [[(f"{total} job{'' if total == 1 else 's'}", "strong")]]
    for state, (glyph, ink) in STATES.items():
        if states[state]:
            words.append([(f"{glyph} {states[state]} {state}", ink)])
    return words


def item(job: Job, now: float) -> JobItem:
    """The row of a job."""
    hello, census = job.hello, job.census
    rank = f"{hello.rank}/{hello.world_size}" if hello and hello.world_size > 1 else ""
    alive = job.state not in ENDS
    stale = census.stale / census.reached if census and census.stale and census.reached else None
    share = job.beat.share if job.beat and alive else None
    memory = job.memory[-1] if len(job.memory) else None
    device = fullest(memory) if memory else None
    return JobItem(
        job.key,
        (
            [(job.name or job.key, "strong")],
            [(hello.host if hello else "", "muted")],
            [(rank, "text")],
            [state_piece(job)],
            [(units.rate(job.rate_per_s if job.state == "live" else None), "text")],
            _nodes(job),
            [(units.share(stale or 0.0) if census else "", "stale" if stale else "muted")],
            [(units.size(census.saved_bytes) if census else "", "text")],
            [(units.size(memory.rss_bytes) if memory else "", "text")],
            [(units.part(device_bytes(device), device.total_bytes) if device else "", "text")],
            [(units.share(share), "muted")],
            _finding(job, now),
        ),
    )


def _nodes(job: Job) -> Line:
    """The newest count and its little history."""
    if job.census is None or job.census.reached is None:
        return [("", "text")]
    step = max(1, len(job.iterations) // _SPARK_RECORDS)
    records = [job.iterations[i] for i in range(0, len(job.iterations), step)]
    counted = [record.reached for record in records if record.reached is not None]
    ink = "stale" if job.census.stale else "new"
    history = spark([*counted, job.census.reached], _SPARK_CELLS, ink)
    return [(f"{units.tick(job.census.reached):>6} ", "text"), *history]


def _finding(job: Job, now: float) -> Line:
    """The top finding, else how it ended, else health."""
    if top := job.top:
        return [(f"{GLYPHS[top.level]} {title_of(top)}  ", top.level), (top.message, "muted")]
    if job.state in ENDS:
        return [(ended(job, now), "muted")]
    if job.number < 0:
        return [("no iteration yet", "muted")]
    return [("✓ healthy", "good")]
