from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Callable


@dataclass
class Event:
    topic: str
    seq: int
    payload: dict[str, Any] = field(default_factory=dict)


class EventBus:
    def __init__(self):
        self._handlers: dict[str, list[Callable[[Event], None]]] = defaultdict(list)
        self.journal: list[Event] = []
        self.count = 0

    def on(self, topic):
        def register(fn):
            self._handlers[topic].append(fn)
            return fn

        return register

    def emit(self, topic, **payload):
        evt = Event(topic, self.count, payload)
        self.count += 1
        self.journal.append(evt)  # <- culprit
        for handler in self._handlers[topic]:
            handler(evt)
        return evt
