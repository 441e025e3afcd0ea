from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Callable, Dict, List


@dataclass
class Event:
    topic: str
    step: int
    payload: Dict[str, Any]


class EventBus:
    def __init__(self):
        self._handlers: Dict[str, List[Callable[[Event], None]]] = defaultdict(list)

    def subscribe(self, topic, handler):
        self._handlers[topic].append(handler)

    def publish(self, topic, step, **payload):
        event = Event(topic, step, payload)
        for handler in self._handlers[topic]:
            handler(event)
