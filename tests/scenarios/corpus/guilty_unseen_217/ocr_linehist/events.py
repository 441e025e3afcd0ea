from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class StepEnd:
    step: int
    values: dict = field(default_factory=dict)


@dataclass
class TrainEnd:
    steps: int


class EventBus:
    def __init__(self):
        self._handlers = defaultdict(list)

    def attach(self, obj):
        for evt, method in obj.handlers().items():
            self._handlers[evt].append(method)

    def emit(self, event):
        for h in self._handlers[type(event)]:
            h(event)
