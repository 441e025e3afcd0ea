from collections import deque
from dataclasses import dataclass

import torch


@dataclass
class Scored:
    board: int
    loss: torch.Tensor
    due: int = 0


class Broker:
    """Delivers scored boards; a handler that answers False gets the event again later."""

    def __init__(self, retry_after, limit=8):
        self.handlers = []
        self.deferred = deque(maxlen=limit)
        self.retry_after = retry_after

    def subscribe(self, fn):
        self.handlers.append(fn)
        return fn

    def publish(self, evt):
        while self.deferred and self.deferred[0].due <= evt.board:
            self._deliver(self.deferred.popleft())
        self._deliver(evt)

    def _deliver(self, evt):
        answers = [fn(evt) for fn in self.handlers]
        if False in answers:
            evt.due = evt.board + self.retry_after
            self.deferred.append(evt)  # <- culprit
