"""Which rows the table of jobs has, and in which order.

Owns sorting, filtering, and what stands under what. Must not know how a row is worded,
widgets or colours. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from gradwatch.model import Job
from gradwatch.tui.devices import device_bytes, fullest
from gradwatch.tui.ranks import Group, grouped, odd_ones
from gradwatch.tui.verdict import title_of
from gradwatch_agent.wire import LEVELS

_OPEN_UP_TO: Final = 8
"""Ranks that are all shown; of more, only the odd ones, until they are asked for."""

Worth: TypeAlias = Callable[[Job], float | None]


@dataclass(frozen=True, slots=True)
class Row:
    """A process, or what stands for all ranks of a job."""

    key: str
    job: Job
    """The process; of a group its gravest rank, where all are well one with a known fault."""
    group: Group | None = None
    """Set on the row above the ranks."""
    is_open: bool = True
    is_rank: bool = False
    odd: str = ""
    """In what the rank is unlike the others; of a group, which ranks are."""
    name: str = ""
    """The job's, with its process where another job has the same."""


def gravity(job: Job) -> float:
    """Of its top finding."""
    return LEVELS.index(job.top.level) if job.top else -1


def _device(job: Job) -> float | None:
    device = fullest(job.memory[-1]) if len(job.memory) else None
    return device_bytes(device) if device else None


def _stale(job: Job) -> float | None:
    census = job.census
    return (census.stale or 0) / census.reached if census and census.reached else None


ORDERS: Final[dict[str, Worth]] = {
    "top finding": gravity,
    "it/s": lambda job: job.rate_per_s if job.state == "live" else None,
    "nodes": lambda job: job.census.reached if job.census else None,
    "saved": lambda job: job.census.saved_bytes if job.census else None,
    "RSS": lambda job: job.memory[-1].rss_bytes if len(job.memory) else None,
    "device": _device,
    "stale": _stale,
    "agent": lambda job: job.beat.share if job.beat else None,
}
"""By the title of the column. They begin with the greatest."""

WORDS: Final[dict[str, Callable[[Job], str]]] = {
    "job": lambda job: job.name.lower(),
    "host": lambda job: job.hello.host.lower() if job.hello else "",
    "state": lambda job: job.state,
}
"""The same for columns of words, which begin with the first."""

ORDER_NAMES: Final = ("top finding", *WORDS, *list(ORDERS)[1:])


def listed(jobs: Iterable[Job], order: str, query: str, turned: frozenset[str]) -> list[Row]:
    """`turned`: keys of the groups that are open though they would be closed, or the reverse."""
    groups = grouped(jobs)
    names = names_of(groups)
    found = [group for group in groups if _matches(group, query)]
    if order in WORDS:
        found.sort(key=lambda group: min(map(WORDS[order], group.jobs)))
    elif order in ORDERS:
        found.sort(key=lambda group: _worth(group.jobs, ORDERS[order]), reverse=True)
    return [row for group in found for row in _rows(group, names[group.key], turned, order)]


def names_of(groups: Sequence[Group]) -> dict[str, str]:
    """By the groups' keys: what each is to be called, so that two can be told apart."""
    times = Counter(group.name for group in groups)
    names = {group.key: group.name for group in groups}
    for group in groups:
        if times[group.name] > 1 and (hello := group.jobs[0].hello):
            names[group.key] += f" pid {hello.pid}"
    return names


def _worth(jobs: Iterable[Job], worth: Worth) -> float:
    values = [value for job in jobs if (value := worth(job)) is not None]
    return max(values, default=-2.0)  # behind whatever has a value


def _in_order(group: Group, order: str) -> list[Job]:
    """The ranks: by their number, unless a column of figures was asked for."""
    if order not in ORDERS or order == ORDER_NAMES[0]:
        return list(group.jobs)
    return sorted(group.jobs, key=lambda job: _worth([job], ORDERS[order]), reverse=True)


def _rows(group: Group, name: str, turned: frozenset[str], order: str) -> list[Row]:
    if len(group.jobs) == 1:
        return [Row(group.jobs[0].key, group.jobs[0], name=name)]
    is_open = (len(group.jobs) <= _OPEN_UP_TO) != (group.key in turned)
    odd = odd_ones(group)
    gravest = max(group.jobs, key=lambda job: (gravity(job), bool(job.quiet_findings)))
    numbers = [str(job.hello.rank) for job in group.jobs if job.hello and job.key in odd]
    head = Row(group.key, gravest, group, is_open, odd=", ".join(numbers), name=name)
    ranks = [
        Row(job.key, job, is_rank=True, odd=odd.get(job.key, ""))
        for job in _in_order(group, order)
        if is_open or job.key in odd
    ]
    return [head, *ranks]


def _matches(group: Group, query: str) -> bool:
    """Whether each word stands in a name, host, state or finding of one of its ranks."""
    words = query.lower().split()
    return not words or any(all(word in _text(job) for word in words) for job in group.jobs)


def _text(job: Job) -> str:
    hello = job.hello
    parts = [job.name or job.key, job.state, hello.host if hello else ""]
    parts += [f"{finding.kind} {title_of(finding)}" for finding in job.open_findings]
    return " ".join(parts).lower()
