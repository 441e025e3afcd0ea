"""What hooks leave for the publisher: appended from any thread without a lock, taken by one.

Owns the two queues, the exact count of what overflowed, and how a busy second is thinned.
Must not know sockets, threads or clocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import count
from typing import Final, TypeAlias

import msgspec

from gradwatch_agent import wire
from gradwatch_agent.journal import fold_iterations

_FLOW: Final = 8_192
"""Records that may wait; 1.6 s of the fastest loop seen (5,000 iterations a second)."""

_FULL_DETAIL: Final = 64
"""Iterations from the start that are never folded: most faults show within them."""

Flow: TypeAlias = wire.Iteration | wire.Backward | wire.Memory
_FLOWING: Final = (wire.Iteration, wire.Backward, wire.Memory)
"""A tuple, because `isinstance` is four times slower on a union and hooks pay for it."""


class Inbox:
    """Two queues: a flow that may overflow (counted), and dear messages that never do.

    `deque.append` is atomic, so hooks wait on nothing and a fork copies no held lock.
    """

    def __init__(self, limit: int = _FLOW) -> None:
        self._flow: deque[tuple[int, Flow]] = deque(maxlen=limit)
        self._dear: deque[wire.Message] = deque()
        self._posted = count(1)
        self._taken = 0
        self._highest = 0

    def put(self, message: wire.Message) -> bool:
        """Leaves a message; True if it is dear, that is, worth waking the reader for."""
        if isinstance(message, _FLOWING):
            self._flow.append((next(self._posted), message))
            return False
        self._dear.append(message)
        return True

    def take(self) -> tuple[list[Flow], list[wire.Message]]:
        """All that waits. Whatever was put before a dear message is taken no later than it."""
        dear = [self._dear.popleft() for _ in range(len(self._dear))]
        flow = []
        for _ in range(len(self._flow)):
            number, message = self._flow.popleft()
            self._highest = max(self._highest, number)
            flow.append(message)
        self._taken += len(flow)
        return flow, dear

    @property
    def lost(self) -> int:
        """Records that fell out of the flow, up to the newest one taken."""
        return self._highest - self._taken


def fold(flow: Iterable[Flow], room: int) -> list[Flow]:
    """The same flow with neighbouring iterations of a lane folded, so that about `room` remain."""
    flow = list(flow)
    foldable = sum(isinstance(message, wire.Iteration) for message in flow)
    size = -(-foldable // max(room, 1))
    if size <= 1:
        return flow
    out: list[Flow] = []
    waiting: dict[int, wire.Iteration] = {}
    for message in flow:
        if not isinstance(message, wire.Iteration) or message.number < _FULL_DETAIL:
            out.append(message)
            continue
        held = waiting.pop(message.lane, None)
        folded = fold_iterations(held, message) if held else message
        if folded.count < size:
            waiting[message.lane] = folded
        else:
            out.append(folded)
    return out + list(waiting.values())


def thin(flow: Iterable[Flow], room: int) -> list[Flow]:
    """The same flow with at most about `room` backwards, evenly spaced; failed ones all stay.

    Each one kept says how many were left out before it. The newest is always kept.
    """
    flow = list(flow)
    backwards = sum(isinstance(message, wire.Backward) for message in flow)
    size = -(-backwards // max(room, 1))
    if size <= 1:
        return flow
    out: list[Flow] = []
    skipped = 0
    for message in flow:
        if not isinstance(message, wire.Backward):
            out.append(message)
            continue
        backwards -= 1
        if message.error is None and backwards % size:
            skipped += 1 + message.skipped
            continue
        if skipped:
            message = msgspec.structs.replace(message, skipped=message.skipped + skipped)
        out.append(message)
        skipped = 0
    return out
