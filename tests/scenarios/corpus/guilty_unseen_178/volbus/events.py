import itertools
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Dict


@dataclass
class Event:
    seq: int
    topic: str
    payload: Dict[str, Any] = field(default_factory=dict)


class EventBus:
    def __init__(self):
        self._subs = defaultdict(list)
        self._seq = itertools.count()

    def on(self, topic, fn):
        self._subs[topic].append(fn)

    def emit(self, topic, **payload):
        event = Event(next(self._seq), topic, payload)
        for fn in self._subs[topic]:
            fn(event)
