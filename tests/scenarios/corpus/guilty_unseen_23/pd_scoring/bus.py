from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Callable


@dataclass(frozen=True)
class Event:
    topic: str
    step: int
    payload: Any


Handler = Callable[[Event], None]


class EventBus:
    def __init__(self) -> None:
        self._handlers: dict[str, list[Handler]] = defaultdict(list)
        self._journal: dict[str, list[Event]] = defaultdict(list)

    def subscribe(self, topic: str, handler: Handler) -> None:
        self._handlers[topic].append(handler)

    def publish(self, topic: str, step: int, payload: Any) -> None:
        event = Event(topic, step, payload)
        self._journal[topic].append(event)  # <- culprit
        for handler in self._handlers[topic]:
            handler(event)

    def published(self, topic: str) -> int:
        return len(self._journal[topic])
