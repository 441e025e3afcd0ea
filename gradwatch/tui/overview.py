"""The table of all jobs: one row each, with its newest numbers.

Owns the columns and the words in the cells. Must not know widgets, colours or clocks. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from gradwatch.model import Job, JobState
from gradwatch.tui import units
from gradwatch.tui.devices import device_bytes, fullest
from gradwatch.tui.facts import ENDS, ended, ended_ago, place_of
from gradwatch.tui.lines import Line, width_of
from gradwatch.tui.listed import WORDS, Row, names_of
from gradwatch.tui.plots import spark
from gradwatch.tui.ranks import Group, grouped, rank_of
from gradwatch.tui.tables import Column
from gradwatch.tui.verdict import GLYPHS, title_of
from gradwatch_agent.wire import Finding, Memory

STATES: Final[dict[JobState, tuple[str, str]]] = {
    "joining": ("◌", "quiet"),
    "live": ("●", "good"),
    "paused": ("‖", "warning"),
    "stalled": ("◐", "warning"),
    "lost": ("○", "warning"),
    "finished": ("■", "quiet"),
    "crashed": ("✗", "critical"),
}
"""Glyph and ink: a state can be told without colour."""

_SPARK_CELLS: Final = 8
_SPARK_RECORDS: Final = 64
"""Records looked at for the tiny history, evenly spread over the whole one."""

_NAME_CELLS: Final = (10, 28, 40)
"""What names get: at least, at most before other columns are shown, and at most after that."""
_STATE_CELLS: Final = 9
"""The state's column does not jump while a job begins."""
_COUNT_CELLS: Final = 5
"""`4.6 k`"""

COLUMNS: Final = (
    Column("job", _NAME_CELLS[0], grow=2, keeps="ends"),
    Column("host", 8, rank=8),
    Column("ranks", 5, right=True, rank=2),
    Column("state", _STATE_CELLS),
    Column("it/s", 5, right=True, rank=3),
    Column("nodes", _COUNT_CELLS + 1 + _SPARK_CELLS, rank=1),
    Column("stale", 5, right=True, rank=5),
    Column("saved", 7, right=True, rank=7),
    Column("RSS", 7, right=True, rank=4),
    Column("device", 9, right=True, rank=6),
    Column("agent", 6, right=True, rank=9),
    Column("top finding", 20, grow=3, keeps="words"),
)
_FINDING_CELLS: Final = 32
"""The most that top findings get before columns are shown that can be done without."""


def columns(order: str, jobs: Iterable[Job] = ()) -> tuple[Column, ...]:
    """The columns, the one that the rows are sorted by marked.

    A column in which none of the jobs has anything, or all the same host, gives its room away.
    """
    mark = "▴" if order in WORDS else "▾"
    jobs = list(jobs)
    groups = grouped(jobs)
    none = {name for name, has in _NEEDED.items() if jobs and not any(map(has, jobs))}
    none |= {"host"} if len({job.hello.host for job in jobs if job.hello}) == 1 else set()
    least, before, most = _NAME_CELLS
    names = max([least, *map(_name_cells, groups, names_of(groups).values())])
    states = (width_of([_state(group.jobs)]) for group in groups)
    widths = dict.fromkeys(none, 0)
    widths |= {"job": min(names, before), "state": max([_STATE_CELLS, *states])}
    out = []
    for column in COLUMNS:
        name = column.title
        title = f"{name}{mark}" if name == order else name
        width = widths.get(name, column.width)
        out.append(
            replace(
                column,
                title=title,
                width=max(width, width_of([(title, "")])) if width else 0,
                most=min(names, most) if name == "job" else column.most,
                wants=_wanted_cells(groups) if name == "top finding" else 0,
            )
        )
    return tuple(out)


def _wanted_cells(groups: Iterable[Group]) -> int:
    """For the longest top finding that has a holder: other words may be cut."""
    lines = [
        _told(job.top, f"{_whose(group, job)}{job.top.holder}")
        for group in groups
        for job in group.jobs
        if job.top and job.top.holder
    ]
    return min(max(map(width_of, lines), default=0), _FINDING_CELLS)


def _name_cells(group: Group, name: str) -> int:
    """For a job's name, or for the names that stand below it with a sign before them."""
    if len(group.jobs) == 1:
        return width_of([(name, "")])
    ranks = (width_of([("≠ ", ""), _rank(job)]) for job in group.jobs)
    return max(width_of([("▾ ", ""), (name, "")]), *ranks)


def _rank(job: Job) -> tuple[str, str]:
    return f"rank {rank_of(job)}", "text"


def _has_device(job: Job) -> bool:
    return bool(len(job.memory)) and fullest(job.memory[-1]) is not None


_NEEDED: Final[dict[str, Callable[[Job], bool]]] = {
    "ranks": lambda job: job.hello is not None and job.hello.world_size > 1,
    "device": _has_device,
}


def state_piece(job: Job) -> tuple[str, str]:
    """The state as glyph and word."""
    glyph, ink = STATES[job.state]
    return f"{glyph} {job.state}", ink


def summary(jobs: Iterable[Job]) -> list[Line]:
    """How many there are, and processes of each state."""
    groups = grouped(jobs)
    states = Counter(job.state for group in groups for job in group.jobs)
    words: list[Line] = [[(f"{len(groups)} job{'' if len(groups) == 1 else 's'}", "strong")]]
    if (total := states.total()) > len(groups):
        words.append([(f"{total} processes", "text")])
    for state, (glyph, ink) in STATES.items():
        if states[state]:
            words.append([(f"{glyph} {states[state]} {state}", ink)])
    return words


def cells(row: Row, now: float) -> tuple[Line, ...]:
    """What stands under `COLUMNS`; a group shows the highest of its ranks, the lowest speed."""
    jobs = row.group.jobs if row.group else (row.job,)
    rates = [job.rate_per_s for job in jobs if job.state == "live" and job.rate_per_s]
    counted = [job for job in jobs if job.census]
    stale = max(map(_stale, counted), default=0.0)
    saved = [job.census.saved_bytes for job in counted if job.census and job.census.saved_bytes]
    memories = [job.memory[-1] for job in jobs if len(job.memory)]
    shares = [job.beat.share for job in jobs if job.beat and job.state not in ENDS]
    return (
        _name(row),
        [(_host(jobs), "muted")],
        [(_ranks(row), "text")],
        [_state(jobs)],
        [(units.rate(min(rates, default=None)), "text")],
        _nodes(max(counted, key=_reached)) if counted else [("", "text")],
        [(units.share(stale) if counted else "", "stale" if stale else "muted")],
        [(units.size(max(saved, default=0)) if counted else "", "text")],
        [(units.size(max(m.rss_bytes for m in memories)) if memories else "", "text")],
        [(_device(memories), "text")],
        [(units.share(max(shares, default=None)), "muted")],
        _finding(row, now),
    )


def _name(row: Row) -> Line:
    if row.is_rank:
        return [("≠ " if row.odd else "  ", "warning"), _rank(row.job)]
    sign = [("▾ " if row.is_open else "▸ ", "muted")] if row.group else []
    return [*sign, (row.name, "strong")]


def _ranks(row: Row) -> str:
    """How many were found; of a rank whose others were not, its number."""
    hello = row.job.hello
    if row.is_rank or hello is None or hello.world_size == 1:
        return ""
    if row.group is None:
        return f"{hello.rank}/{hello.world_size}"
    found = len(row.group.jobs)
    return str(found) if found == hello.world_size else f"{found}/{hello.world_size}"


def _host(jobs: Sequence[Job]) -> str:
    hosts = {job.hello.host for job in jobs if job.hello}
    return f"{len(hosts)} hosts" if len(hosts) > 1 else next(iter(hosts), "")


def _state(jobs: Sequence[Job]) -> tuple[str, str]:
    """The state as glyph and word; of several ranks, how many of them have the rarest."""
    states = Counter(job.state for job in jobs)
    if len(states) <= 1:
        return state_piece(jobs[0])
    state, count = min(states.items(), key=lambda item: (item[1], item[0] == "live"))
    glyph, ink = STATES[state]
    return f"{glyph} {count} {state}", ink


def _stale(job: Job) -> float:
    census = job.census
    return census.stale / census.reached if census and census.stale and census.reached else 0.0


def _reached(job: Job) -> int:
    return (job.census.reached if job.census else None) or 0


def _device(memories: Sequence[Memory]) -> str:
    """The fullest device of all."""
    devices = [device for memory in memories if (device := fullest(memory))]
    if not devices:
        return ""
    most = max(devices, key=lambda device: device_bytes(device) or 0)
    return units.part(device_bytes(most), most.total_bytes)


def _nodes(job: Job) -> Line:
    """The newest count and its little history."""
    if job.census is None or job.census.reached is None:
        return [("", "text")]
    step = max(1, len(job.iterations) // _SPARK_RECORDS)
    records = [job.iterations[i] for i in range(0, len(job.iterations), step)]
    counted = [record.reached for record in records if record.reached is not None]
    ink = "stale" if job.census.stale else "new"
    history = spark([*counted, job.census.reached], _SPARK_CELLS, ink)
    return [(f"{units.tick(job.census.reached):>{_COUNT_CELLS}} ", "text"), *history]


def _gist(job: Job, finding: Finding, now: float) -> str:
    """Who holds it, where it is, when it was: the sentence stands below the table, and would be cut
    here.
    """
    place = place_of(job, finding.file, finding.line)
    ago = ended_ago(job, now) if finding.kind in ENDS else ""
    return finding.holder or place or ago or finding.message


def _whose(group: Group, job: Job) -> str:
    """Which of several ranks has it."""
    return f"rank {rank_of(job)}: " if len(group.jobs) > 1 else ""


def _told(finding: Finding, gist: str) -> Line:
    title = f"{GLYPHS[finding.level]} {title_of(finding)}  "
    return [(title, finding.level), (gist, "muted")]


def _finding(row: Row, now: float) -> Line:
    """The top finding and what is odd about a rank, else how it ended, or health."""
    job = row.job
    top = job.top
    if row.odd and row.is_rank:
        return [*(_told(top, "") if top else []), (row.odd, "warning")]
    odd: Line = [(f"≠ rank {row.odd}  ", "warning")] if row.odd else []
    if top:
        whose = _whose(row.group, job) if row.group else ""
        return [*odd, *_told(top, f"{whose}{_gist(job, top, now)}")]
    if job.state in ENDS:
        return [*odd, (ended(job, now), "muted")]
    if job.number < 0:
        return [*odd, ("no iteration yet", "muted")]
    if quiet := job.quiet_findings:
        return [*odd, (f"◦ {title_of(quiet[0])}, {job.hushed(quiet[0])}", "muted")]
    return odd or [("✓ healthy", "good")]
