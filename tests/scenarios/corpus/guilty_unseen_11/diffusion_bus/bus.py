"""Publish / subscribe, synchronous. Subscribers that come late may ask to be shown what has happened."""
from collections import defaultdict
from typing import Any, Callable


class EventBus:
    def __init__(self) -> None:
        self._handlers: dict[type, list[Callable[[Any], None]]] = defaultdict(list)
        self._published: list[Any] = []

    def subscribe(self, kind: type, handler: Callable[[Any], None], catch_up: bool = False) -> None:
        self._handlers[kind].append(handler)
        if catch_up:
            for event in self._published:
                if isinstance(event, kind):
                    handler(event)

    def publish(self, event: Any) -> None:
        self._published.append(event)  # <- culprit
        for handler in self._handlers[type(event)]:
            handler(event)
