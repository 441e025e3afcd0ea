"""The bounded past of one job: numbers every message, keeps it, answers what was missed.

Owns sequence numbers and what is thrown away when the past grows: resolution, never its span.
Must not know sockets, threads or clocks. Pure; used by the agent, and `Series` by every viewer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from gradwatch_agent import wire

_ITERATIONS = 4_096
"""Records; about 1 MB encoded. A terminal shows at most 600 columns of them."""
_MEMORY = 2_048
_BACKWARDS = 1_024
_FINDINGS = 1_024

T = TypeVar("T")


def fold_iterations(older: wire.Iteration, newer: wire.Iteration) -> wire.Iteration:
    """One record for both: durations as means per iteration, levels as last measured."""
    count = older.count + newer.count

    def mean(a: float, b: float) -> float:
        return (a * older.count + b * newer.count) / count

    return msgspec.structs.replace(
        newer,
        count=count,
        duration_s=mean(older.duration_s, newer.duration_s),
        backward_s=mean(older.backward_s, newer.backward_s),
        reached=_last(older.reached, newer.reached),
        stale=_last(older.stale, newer.stale),
        oldest=older.oldest if newer.reached is None else newer.oldest,
        proven=older.proven if newer.reached is None else newer.proven,
        collected=older.collected or newer.collected,
        saved_bytes=_last(older.saved_bytes, newer.saved_bytes),
        storages=_last(older.storages, newer.storages),
        types=_last(older.types, newer.types),
    )


def fold_memory(older: wire.Memory, newer: wire.Memory) -> wire.Memory:
    """The newer look, with the higher peak of both."""
    peak = max(older.peak_rss_bytes, newer.peak_rss_bytes)
    return msgspec.structs.replace(newer, peak_rss_bytes=peak)


def _last(older: T | None, newer: T | None) -> T | None:
    return older if newer is None else newer


@dataclass(slots=True)
class _Item(Generic[T]):
    value: T
    weight: int


class Series(Generic[T]):
    """At most `limit` records; when full, neighbours in the older part are folded in pairs.

    The newest quarter keeps full resolution, the rest stays about evenly spaced.
    """

    def __init__(self, limit: int, fold: Callable[[T, T], T]) -> None:
        self._limit = max(limit, 8)
        self._fold = fold
        self._items: list[_Item[T]] = []
        self.folds = 0
        """How often older records were folded; between two folds records are only added."""

    def copy(self) -> Series[T]:
        """As it is now; the records themselves are shared."""
        copied: Series[T] = Series(self._limit, self._fold)
        copied._items = self._items.copy()
        return copied

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return (item.value for item in self._items)

    def __getitem__(self, index: int) -> T:
        return self._items[index].value

    def append(self, value: T, weight: int = 1) -> None:
        """Adds the newest record; `weight` is how many originals it stands for."""
        self._items.append(_Item(value, weight))
        while len(self._items) > self._limit:
            self._compact()

    def _compact(self) -> None:
        """Folds the lightest neighbours of the older three quarters."""
        self.folds += 1
        cut = len(self._items) - self._limit // 4
        older, newest = self._items[:cut], self._items[cut:]
        ceiling = 2 * min(item.weight for item in older)
        while len(pairs := _pairs(older, ceiling)) < max(len(older) // 8, 1):
            ceiling *= 2
        for left in pairs:  # planned first, for a fold costs far more than a look at weights
            first, second = older[left], older[left + 1]
            folded = self._fold(first.value, second.value)
            older[left + 1] = _Item(folded, first.weight + second.weight)
        gone = set(pairs)
        self._items = [item for i, item in enumerate(older) if i not in gone] + newest


def _pairs(items: list[_Item[T]], ceiling: int) -> list[int]:
    """Whom to fold with its right neighbour, from the old end; each takes part in one fold."""
    pairs: list[int] = []
    waiting: int | None = None
    for i, item in enumerate(items):
        if waiting is not None and waiting + item.weight <= ceiling:
            pairs.append(i - 1)
            waiting = None
        else:
            waiting = item.weight
    return pairs


@dataclass(frozen=True, slots=True)
class _Kept:
    """A message and the journal numbers it stands for.

    Encoded only when asked for: folding frames would cost ten times as much at every append.
    """

    first: int
    last: int
    covers: int
    message: wire.Message

    def frame(self) -> bytes:
        return wire.encode(self.message, self.last, self.covers)


def _kept_fold(fold: Callable[[Any, Any], wire.Message]) -> Callable[[_Kept, _Kept], _Kept]:
    """A fold of messages as a fold of what is kept of them."""

    def folded(older: _Kept, newer: _Kept) -> _Kept:
        message = fold(older.message, newer.message)
        return _Kept(older.first, newer.last, older.covers + newer.covers, message)

    return folded


class Journal:
    """Numbers, encodes and keeps messages. One thread owns it."""

    def __init__(self) -> None:
        self.number = 0
        """The newest number given."""
        self._iterations = Series[_Kept](_ITERATIONS, _kept_fold(fold_iterations))
        self._memory = Series[_Kept](_MEMORY, _kept_fold(fold_memory))
        self._backwards: deque[_Kept] = deque(maxlen=_BACKWARDS)
        self._rest: list[_Kept] = []
        """Findings and farewells: rare and dear. Hello is kept apart, so that it never leaves."""
        self._hello: _Kept | None = None

    def append(self, message: wire.Message) -> bytes:
        """Gives the message its number, keeps it, and returns its frame."""
        self.number += 1
        kept = _Kept(self.number, self.number, 1, message)
        match message:
            case wire.Iteration():
                self._iterations.append(kept, message.count)
            case wire.Memory():
                self._memory.append(kept)
            case wire.Backward():
                self._backwards.append(kept)
            case wire.Hello():
                self._hello = kept
            case _:
                self._rest.append(kept)
                if len(self._rest) > _FINDINGS:
                    _drop_one(self._rest)
        return kept.frame()

    def unnumbered(self, message: wire.Message) -> bytes:
        """A frame that is not kept; it carries the newest number, so that gaps are noticed."""
        return wire.encode(message, self.number, 0)

    def keyframe(self) -> list[bytes]:
        """Everything kept, oldest first."""
        return [kept.frame() for kept in self._all()]

    def replay(self, since: int, upto: int) -> list[bytes]:
        """What is kept of the numbers `since` to `upto`, oldest first."""
        return [kept.frame() for kept in self._all() if since <= kept.last and kept.first <= upto]

    def _all(self) -> list[_Kept]:
        hello = [self._hello] if self._hello else []
        kept = [*hello, *self._iterations, *self._memory, *self._backwards, *self._rest]
        return sorted(kept, key=lambda item: item.last)


def _drop_one(kept: list[_Kept]) -> None:
    """The oldest state of a finding that has a newer one, which stands for it from now on; where
    each has but one, the oldest of all.
    """
    newer: dict[str, int] = {}
    place, after = 0, 0
    for at in range(len(kept) - 1, -1, -1):
        message = kept[at].message
        if isinstance(message, wire.Finding):
            if message.id in newer:
                place, after = at, newer[message.id]
            newer[message.id] = at
    older, one = kept[place], kept[after]
    if after:
        kept[after] = _Kept(older.first, one.last, older.covers + one.covers, one.message)
    del kept[place]
