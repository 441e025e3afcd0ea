"""Ranks of one job taken together, and which of them is unlike the others.

Owns what belongs together and what counts as odd. Must not know widgets or colours. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from gradwatch.model import Job
from gradwatch.tui import units
from gradwatch.tui.devices import device_bytes, fullest

_LEAST: Final = 3
"""Ranks from which on one can be told from the others."""
_NODES_OFF: Final = 0.1
"""Part of the others' count by which a graph differs that is another one."""
_MEMORY_OFF: Final = 0.25
_MEMORY_OFF_BYTES: Final = 256_000_000
"""Ranks differ a little in what they hold; rank 0 mostly has some caches more."""
_BEHIND: Final = 20
"""Iterations; ranks that train together are one apart, their news up to a second late."""


@dataclass(frozen=True, slots=True)
class Group:
    """The ranks of one job that were found, by their numbers; mostly it is one process."""

    key: str
    jobs: tuple[Job, ...]

    @property
    def name(self) -> str:
        """The job's."""
        return self.jobs[0].name or self.jobs[0].key


def grouped(jobs: Iterable[Job]) -> list[Group]:
    """In the order in which the first of each came. Of two runs of one script each is its own."""
    found: dict[tuple[object, ...], list[Job]] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for job in jobs:
        hello = job.hello
        key: tuple[object, ...] = (job.key,)
        if hello is not None and hello.world_size > 1:
            one = (hello.job, hello.script, hello.world_size)
            this = (*one, hello.rank)
            key = (*one, seen[this])
            seen[this] += 1
        found.setdefault(key, []).append(job)
    return [_group(members) for members in found.values()]


def _group(jobs: list[Job]) -> Group:
    members = tuple(sorted(jobs, key=rank_of)) if len(jobs) > 1 else tuple(jobs)
    return Group(f"group {jobs[0].key}", members)


def rank_of(job: Job) -> int:
    """Its number, 0 where it is not known yet."""
    return job.hello.rank if job.hello else 0


def odd_ones(group: Group) -> dict[str, str]:
    """By the key of each rank that is unlike the others: in what."""
    if len(group.jobs) < _LEAST:
        return {}
    usual_state, count = Counter(job.state for job in group.jobs).most_common(1)[0]
    odd: dict[str, str] = {}
    if count > len(group.jobs) / 2:
        odd |= {job.key: job.state for job in group.jobs if job.state != usual_state}
    for told in (_nodes, _memory, _device, _behind):
        for key, word in told(group.jobs).items():
            odd.setdefault(key, word)
    return odd


def _nodes(jobs: Sequence[Job]) -> dict[str, str]:
    counts = {job.key: job.census.reached for job in jobs if job.census and job.census.reached}
    return _unlike(counts, lambda usual: _NODES_OFF * usual, "nodes", units.tick)


def _memory(jobs: Sequence[Job]) -> dict[str, str]:
    sizes = {job.key: job.memory[-1].rss_bytes for job in jobs if len(job.memory)}
    return _unlike(sizes, _memory_off, "RSS", units.size)


def _device(jobs: Sequence[Job]) -> dict[str, str]:
    devices = {job.key: fullest(job.memory[-1]) for job in jobs if len(job.memory)}
    sizes = {key: device_bytes(device) or 0 for key, device in devices.items() if device}
    return _unlike(sizes, _memory_off, "device", units.size)


def _behind(jobs: Sequence[Job]) -> dict[str, str]:
    usual = median(job.number for job in jobs)
    behind = {job.key: round(usual - job.number) for job in jobs if usual - job.number > _BEHIND}
    return {key: f"{units.whole(by)} iterations behind" for key, by in behind.items()}


def _memory_off(usual: float) -> float:
    return max(_MEMORY_OFF * usual, _MEMORY_OFF_BYTES)


def _unlike(
    values: dict[str, int], off: Callable[[float], float], name: str, word: Callable[[float], str]
) -> dict[str, str]:
    """Those farther from the median than they may be; if many are, none is the odd one."""
    if len(values) < _LEAST:
        return {}
    usual = median(values.values())
    far = {key: value for key, value in values.items() if abs(value - usual) > off(usual)}
    if len(far) > len(values) / _LEAST:
        return {}
    return {key: f"{name} {word(value)}, others {word(usual)}" for key, value in far.items()}
