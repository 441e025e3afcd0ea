"""A job's records turned into columns of numbers, for the curves.

Owns which numbers are taken from a record. Must not know what is drawn of them, nor widgets.
Grows with its job, so that a look at a long one costs what is new since the last look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from gradwatch.model import Job
from gradwatch.tui.devices import device_bytes
from gradwatch_agent import wire
from gradwatch_agent.journal import Series

T = TypeVar("T")

Numbers: TypeAlias = Sequence[Any]
"""Of one quantity, in the order of the records; read only, and growing."""

_LANE: Final = 0
"""The training thread that is drawn."""

_MOST_DEVICES: Final = 16
"""More than a machine has; a job may say anything."""


class Nodes(NamedTuple):
    """One count of the graph."""

    number: Numbers
    reached: Numbers
    stale: Numbers
    new: Numbers


class Saved(NamedTuple):
    """One measurement of what tensors keep for a backward, in bytes."""

    number: Numbers
    saved: Numbers


class Each(NamedTuple):
    """One iteration, or several that were folded into a record; seconds are means."""

    number: Numbers
    live: Numbers
    held: Numbers
    duration: Numbers
    backward: Numbers


class Process(NamedTuple):
    """One look at the process's memory, in bytes."""

    number: Numbers
    rss: Numbers


class Device(NamedTuple):
    """One look at a device's memory, in bytes; None where it was not measured."""

    number: Numbers
    used: Numbers


class _Columns(Generic[T]):
    """What `row` takes from each record of a series, None from one that says nothing."""

    def __init__(self, series: Series[T], width: int, row: Callable[[T], tuple[Any, ...] | None]):
        self._series, self._width, self._row = series, width, row
        self._folds = series.folds
        self._taken = 0
        self._lists: list[list[Any]] = [[] for _ in range(width)]

    def caught_up(self) -> list[list[Any]]:
        """All of them; where older records were folded since, they are taken anew."""
        if self._folds != self._series.folds:
            self._folds, self._taken = self._series.folds, 0
            # New ones: the old belong to figures that may have to be drawn once more.
            self._lists = [[] for _ in range(self._width)]
        for index in range(self._taken, len(self._series)):
            if (row := self._row(self._series[index])) is not None:
                for numbers, value in zip(self._lists, row, strict=True):
                    numbers.append(value)
        self._taken = len(self._series)
        return self._lists


class Past:
    """The columns of one job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._nodes = _Columns(job.iterations, len(Nodes._fields), _nodes)
        self._saved = _Columns(job.iterations, len(Saved._fields), _saved)
        self._each = _Columns(job.iterations, len(Each._fields), _each)
        self._process = _Columns(job.memory, len(Process._fields), _process)
        self._devices: dict[str, _Columns[wire.Memory]] = {}

    @property
    def nodes(self) -> Nodes:
        """Every count so far."""
        return Nodes(*self._nodes.caught_up())

    @property
    def saved(self) -> Saved:
        """Every measurement so far."""
        return Saved(*self._saved.caught_up())

    @property
    def each(self) -> Each:
        """Every record so far."""
        return Each(*self._each.caught_up())

    @property
    def process(self) -> Process:
        """Every look since the first iteration."""
        return Process(*self._process.caught_up())

    def device(self, uuid: str) -> Device:
        """Every look at one device."""
        if uuid not in self._devices:

            def row(sample: wire.Memory) -> tuple[Any, ...] | None:
                return _device(sample, uuid)

            if len(self._devices) >= _MOST_DEVICES:
                self._devices.clear()
            self._devices[uuid] = _Columns(self.job.memory, len(Device._fields), row)
        return Device(*self._devices[uuid].caught_up())


def _nodes(record: wire.Iteration) -> tuple[Any, ...] | None:
    if record.lane != _LANE or record.reached is None:
        return None
    stale = record.stale or 0
    return record.number, record.reached, stale, record.reached - stale


def _saved(record: wire.Iteration) -> tuple[Any, ...] | None:
    is_known = record.lane == _LANE and record.saved_bytes is not None
    return (record.number, record.saved_bytes) if is_known else None


def _each(record: wire.Iteration) -> tuple[Any, ...] | None:
    if record.lane != _LANE:
        return None
    return record.number, record.live, record.held, record.duration_s, record.backward_s


def _process(sample: wire.Memory) -> tuple[Any, ...] | None:
    return (sample.iteration, sample.rss_bytes) if sample.iteration >= 0 else None


def _device(sample: wire.Memory, uuid: str) -> tuple[Any, ...] | None:
    if sample.iteration < 0:
        return None
    used = next((device_bytes(d) for d in sample.devices if d.uuid == uuid), None)
    return sample.iteration, used
