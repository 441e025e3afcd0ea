from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Callable


@dataclass(frozen=True)
class Event:
    topic: str
    seq: int
    payload: dict[str, Any] = field(default_factory=dict)


class Bus:
    def __init__(self) -> None:
        self._subs: dict[str, list[Callable[[Event], None]]] = defaultdict(list)
        self._seq = 0

    def subscribe(self, topic: str, fn: Callable[[Event], None]) -> None:
        self._subs[topic].append(fn)

    def publish(self, topic: str, **payload: Any) -> None:
        self._seq += 1
        event = Event(topic, self._seq, payload)
        for fn in self._subs[topic]:
            fn(event)
