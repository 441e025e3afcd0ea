"""A minimal event engine: a step function, a state, and handlers by event."""
from __future__ import annotations

import enum
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable


class Events(enum.Enum):
    STARTED = enum.auto()
    GRADIENTS_READY = enum.auto()
    ITERATION_COMPLETED = enum.auto()
    COMPLETED = enum.auto()


@dataclass
class State:
    iteration: int = 0
    output: dict[str, Any] = field(default_factory=dict)


Handler = Callable[["Engine"], None]


class Engine:
    def __init__(self, step: Callable[["Engine", Any], dict[str, Any]]) -> None:
        self._step = step
        self.handlers: dict[Events, list[Handler]] = defaultdict(list)
        self.state = State()

    def on(self, event: Events, handler: Handler) -> None:
        self.handlers[event].append(handler)

    def fire(self, event: Events) -> None:
        for handler in self.handlers[event]:
            handler(self)

    def run(self, data: Iterable[Any], iterations: int) -> State:
        self.fire(Events.STARTED)
        for self.state.iteration, batch in zip(range(iterations), data):
            self.state.output = self._step(self, batch)
            self.fire(Events.ITERATION_COMPLETED)
        self.fire(Events.COMPLETED)
        return self.state
