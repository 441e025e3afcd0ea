from collections import deque
from dataclasses import dataclass

import torch


@dataclass
class Flight:
    uid: int
    boundary: torch.Tensor
    activation: torch.Tensor


class OneForwardOneBackward:
    def __init__(self, depth):
        self.depth = depth
        self.flights = deque()
        self.landed = 0

    def launch(self, flight):
        self.flights.append(flight)

    @property
    def full(self):
        return len(self.flights) >= self.depth

    def land(self):
        self.landed += 1
        return self.flights.popleft()

    def __bool__(self):
        return bool(self.flights)
