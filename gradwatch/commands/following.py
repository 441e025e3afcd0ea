"""The headless loop: from a source's thread to a watcher's lines, until an end is reached.

Owns the queue between the two threads and the clock. Must not know what a line says nor when
to stop: both come in.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from gradwatch.model import Event
from gradwatch.watcher import Watcher

_TICK_S: Final = 0.2
"""How late an end without an event may be noticed, in seconds."""

_WAITING: Final = 10_000
"""Events that may wait for a reader that is slow; then the source's own thread waits."""

Deliver: TypeAlias = Callable[[str, Event], None]


class Source(Protocol):
    """Something that delivers events from a thread of its own."""

    def start(self) -> None:
        """Begins to deliver."""

    def stop(self) -> None:
        """Delivers no more."""


MakeSource: TypeAlias = Callable[[Deliver], Source]


def follow(make_source: MakeSource, watcher: Watcher, at_end: Callable[[], bool]) -> None:
    """Runs until `at_end()`, which is asked whenever all that came has been told."""
    events: queue.Queue[tuple[str, Event]] = queue.Queue(_WAITING)
    source = make_source(lambda key, event: events.put((key, event)))
    source.start()
    try:
        while not (events.empty() and at_end()):
            try:
                key, event = events.get(timeout=_TICK_S)
            except queue.Empty:
                continue
            watcher.take(key, event, time.monotonic())
    finally:
        source.stop()
