"""Tiny synchronous event bus used by all in-house jobs."""
from collections import defaultdict
from typing import Any, Callable


class EventBus:
    def __init__(self):
        self._subs: dict[str, list[Callable[..., Any]]] = defaultdict(list)

    def on(self, topic: str):
        def register(fn):
            self._subs[topic].append(fn)
            return fn
        return register

    def subscribe(self, topic, fn):
        self._subs[topic].append(fn)

    def publish(self, topic: str, **payload):
        for fn in self._subs.get(topic, ()):
            fn(**payload)
