"""Where a source's thread puts events and the screen's loop takes them out.

Owns the hand-over between the two threads, and its bound. Must not know jobs or textual.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from gradwatch.model import Event, Trouble

Deliver: TypeAlias = Callable[[str, Event], None]
"""How a source hands over an event of the job with that key; from any thread."""

_LIMIT: Final = 200_000
"""Events waiting; about 100 MB. A loop that is so far behind has stopped."""


class Source(Protocol):
    """Something that delivers events once started, from a thread of its own."""

    def start(self) -> None:
        """Begins to deliver."""

    def stop(self) -> None:
        """Ends; nothing is delivered after it returned. Harmless when repeated."""


class Inbox:
    """Many may put, one takes. What finds no room is counted as lost."""

    def __init__(self, limit: int = _LIMIT) -> None:
        self._lock = threading.Lock()
        self._events: list[tuple[str, Event]] = []
        self._limit = limit
        self._lost: dict[str, int] = {}

    def deliver(self, key: str, event: Event) -> None:
        """Puts an event in; waits for no more than a swap of two lists."""
        with self._lock:
            if len(self._events) < self._limit:
                self._events.append((key, event))
            else:
                self._lost[key] = self._lost.get(key, 0) + 1

    def drain(self) -> list[tuple[str, Event]]:
        """All that waits now, the oldest first."""
        with self._lock:
            events, self._events = self._events, []
            lost, self._lost = self._lost, {}
        return [*events, *((key, Trouble(lost=count)) for key, count in lost.items())]
