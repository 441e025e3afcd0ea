from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StepEnd:
    step: int
    loss: Any
    lr: float
    topic = "on_step_end"


@dataclass(frozen=True)
class RunEnd:
    steps: int
    topic = "on_run_end"


class EventBus:
    """Publish/subscribe; a listener that comes late is brought up to date."""

    def __init__(self):
        self._listeners = []
        self._journal = []

    def attach(self, listener):
        for ev in self._journal:
            self._deliver(listener, ev)
        self._listeners.append(listener)

    def publish(self, ev):
        self._journal.append(ev)  # <- culprit
        for listener in self._listeners:
            self._deliver(listener, ev)

    @staticmethod
    def _deliver(listener, ev):
        handler = getattr(listener, ev.topic, None)
        if handler is not None:
            handler(ev)
