from collections import defaultdict
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Callable


@dataclass(frozen=True)
class Event:
    at: float = field(default_factory=perf_counter, init=False)


@dataclass(frozen=True)
class StepEnd(Event):
    step: int
    loss: Any
    grad_norm: float


@dataclass(frozen=True)
class EpochEnd(Event):
    epoch: int
    step: int


class Bus:
    """Publish/subscribe; past events are kept in order, so that one who comes late can be told."""

    def __init__(self) -> None:
        self._subscribers: dict[type, list[Callable]] = defaultdict(list)
        self.journal: list[Event] = []

    def subscribe(self, kind: type, fn: Callable, catch_up: bool = False) -> None:
        self._subscribers[kind].append(fn)
        if catch_up:
            for event in self.journal:
                if isinstance(event, kind):
                    fn(event)

    def publish(self, event: Event) -> None:
        self.journal.append(event)  # <- culprit
        for fn in self._subscribers[type(event)]:
            fn(event)
