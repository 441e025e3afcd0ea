from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List


@dataclass
class Event:
    topic: str
    payload: Dict[str, Any] = field(default_factory=dict)


class EventBus:
    def __init__(self):
        self._subs: Dict[str, List[Callable[[Event], None]]] = defaultdict(list)

    def on(self, topic, fn):
        self._subs[topic].append(fn)
        return fn

    def emit(self, topic, **payload):
        ev = Event(topic, payload)
        for fn in self._subs[topic]:
            fn(ev)
