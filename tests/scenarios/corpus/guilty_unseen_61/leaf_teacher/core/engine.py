"""Event-driven training engine."""
from collections import defaultdict
from enum import Enum, auto
from types import SimpleNamespace


class Events(Enum):
    STARTED = auto()
    BATCH_START = auto()
    OBJECTIVE_READY = auto()
    BATCH_END = auto()
    COMPLETED = auto()


class Engine:
    def __init__(self, objective, optimizer):
        self.objective, self.optimizer = objective, optimizer
        self.handlers = defaultdict(list)
        self.state = SimpleNamespace(step=0, epoch=0, loss=None, ramp=0.0)

    def on(self, event, handler=None):
        """Register a handler; usable as a decorator too."""
        if handler is None:
            return lambda fn: self.on(event, fn)
        self.handlers[event].append(handler)
        return handler

    def fire(self, event):
        for handler in self.handlers[event]:
            handler(self)

    def run(self, loader, epochs):
        self.fire(Events.STARTED)
        for self.state.epoch in range(epochs):
            for batch in loader:
                self.fire(Events.BATCH_START)
                loss = self.objective(self, batch)
                self.state.loss = loss.item()
                self.fire(Events.OBJECTIVE_READY)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.fire(Events.BATCH_END)
                self.state.step += 1
        self.fire(Events.COMPLETED)
