"""In-process events: whoever publishes never waits for whoever listens."""
import queue
import threading
import weakref
from collections import defaultdict
from dataclasses import dataclass
from typing import Any


@dataclass
class BatchDone:
    number: int
    port: str
    wrong: Any
    guess: Any


@dataclass
class SeasonOver:
    season: int


class Bus:
    def __init__(self):
        self._ears = defaultdict(weakref.WeakSet)

    def join(self, listener, *kinds):
        for kind in kinds:
            self._ears[kind].add(listener)

    def publish(self, event):
        for listener in list(self._ears[type(event)]):
            listener.inbox.put(event)


class Listener(threading.Thread):
    """A thread with an inbox; subclasses write `on_<EventName>`."""

    def __init__(self, name):
        super().__init__(name=name, daemon=True)
        self.inbox = queue.Queue()

    def run(self):
        while (event := self.inbox.get()) is not None:
            getattr(self, "on_" + type(event).__name__)(event)

    def close(self):
        self.inbox.put(None)
        self.join()
