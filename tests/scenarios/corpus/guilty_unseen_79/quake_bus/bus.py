from collections import defaultdict
from dataclasses import dataclass, field
from time import monotonic
from types import MappingProxyType
from typing import Any, Callable, Mapping


@dataclass(frozen=True)
class Event:
    topic: str
    payload: Mapping[str, Any]
    at: float = field(default_factory=monotonic)

    def __getattr__(self, key):
        try:
            return self.payload[key]
        except KeyError:
            raise AttributeError(key) from None


class Bus:
    """Synchronous publish/subscribe. Topics are replayable for those who join late."""

    def __init__(self):
        self._listeners: dict[str, list[Callable[[Event], None]]] = defaultdict(list)
        self._retained: dict[str, tuple] = {}

    def subscribe(self, topic, fn, replay=False):
        if replay:
            for event in self._retained.get(topic, ()):
                fn(event)
        self._listeners[topic].append(fn)

    def publish(self, topic, **payload):
        event = Event(topic, MappingProxyType(payload))
        self._retained[topic] = (*self._retained.get(topic, ()), event)  # <- culprit
        for fn in tuple(self._listeners[topic]):
            fn(event)
