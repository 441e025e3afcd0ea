from collections import deque

import torch


class StepEvent:
    __slots__ = ("step", "values", "__weakref__")

    def __init__(self, step, **values):
        self.step = step
        self.values = values

    def accuracy(self):
        return (self.values["logits"].argmax(1) == self.values["target"]).float().mean()

    def scalars(self):
        for name, value in self.values.items():
            if isinstance(value, torch.Tensor) and value.ndim == 0:
                yield name, value


class Bus:
    def __init__(self):
        self._subscribers = []
        self._pending = deque()

    def subscribe(self, handler):
        self._subscribers.append(handler)

    def publish(self, event):
        self._pending.append(event)
        while self._pending:
            current = self._pending.popleft()
            for handler in self._subscribers:
                handler(current)
