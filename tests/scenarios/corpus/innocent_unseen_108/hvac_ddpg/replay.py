import random
from typing import NamedTuple

import torch


class Transition(NamedTuple):
    obs: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    nxt: torch.Tensor


class Replay:
    def __init__(self, capacity):
        self.rows = []
        self.capacity = capacity
        self.rng = random.Random(0)

    def add(self, tr):
        if len(self.rows) == self.capacity:
            self.rows[self.rng.randrange(self.capacity)] = tr
        else:
            self.rows.append(tr)

    def sample(self, n):
        return Transition(*map(torch.cat, zip(*self.rng.choices(self.rows, k=n))))
