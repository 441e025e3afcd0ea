import random
from collections import deque
from typing import NamedTuple

import torch


class Move(NamedTuple):
    obs: torch.Tensor
    action: int
    reward: float
    logp: torch.Tensor


class Memory:
    def __init__(self, capacity):
        self.slots = deque(maxlen=capacity)
        self.rng = random.Random(0)

    def push(self, move):
        self.slots.append(move)  # <- culprit

    def draw(self, n):
        return [self.rng.choice(self.slots) for _ in range(min(n, len(self.slots)))]
