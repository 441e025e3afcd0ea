import enum
from collections import defaultdict
from dataclasses import dataclass, field


class Events(enum.Enum):
    STARTED = 0
    ITERATION_STARTED = 1
    ITERATION_COMPLETED = 2
    COMPLETED = 3


@dataclass
class State:
    iteration: int = 0
    phase: str = "warmup"
    output: dict = None
    extras: dict = field(default_factory=dict)


class Engine:
    def __init__(self, step_fn, stream):
        self._step_fn = step_fn
        self._stream = stream
        self._handlers = defaultdict(list)
        self.state = State()

    def on(self, event, every=1):
        def wrap(fn):
            self._handlers[event].append((fn, every))
            return fn
        return wrap

    def fire(self, event):
        for fn, every in self._handlers[event]:
            if self.state.iteration % every == 0:
                fn(self)

    def run(self, steps):
        self.fire(Events.STARTED)
        for i in range(steps):
            self.state.iteration = i
            self.fire(Events.ITERATION_STARTED)
            self.state.output = self._step_fn(self, next(self._stream))
            self.fire(Events.ITERATION_COMPLETED)
        self.fire(Events.COMPLETED)
        return self.state
