from collections import deque
from typing import NamedTuple

import torch
import torch.nn.functional as F


class Slot(NamedTuple):
    sent: torch.Tensor
    received: torch.Tensor
    loss: torch.Tensor


class Pipeline:
    def __init__(self, front, back, lag):
        self.front, self.back = front, back
        self.lag = lag
        self.in_flight = deque()
        self.finished = []
        self.clock = 0

    def forward(self, x, y, scale):
        sent = self.front(x)
        received = sent.detach().requires_grad_()
        loss = scale * F.cross_entropy(self.back(received), y)
        self.in_flight.append(Slot(sent, received, loss))
        self.clock += 1
        if len(self.in_flight) > self.lag:
            self._retire()

    def _retire(self):
        slot = self.in_flight.popleft()
        slot.loss.backward()
        slot.sent.backward(slot.received.grad)
        self.finished.append(slot)

    def drain(self):
        while self.in_flight:
            self._retire()

    def collect(self):
        done, self.finished = self.finished, []
        return [slot.loss.detach() for slot in done]
