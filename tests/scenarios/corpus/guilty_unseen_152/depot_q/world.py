"""A one-depot replenishment problem with random demand."""
import random
from collections import deque

import torch


class Depot:
    capacity = 20
    actions = (0, 3, 6, 10)

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.stock = 10
        self.day = 0

    def observe(self):
        return torch.tensor([self.stock / self.capacity, (self.day % 7) / 7.0])

    def advance(self, action):
        ordered = self.actions[action]
        demand = self.rng.randint(1, 6) + (3 if self.day % 7 == 5 else 0)
        self.stock = min(self.capacity, self.stock + ordered)
        sold = min(self.stock, demand)
        self.stock -= sold
        self.day += 1
        return 1.0 * sold - 0.05 * self.stock - 0.3 * (ordered > 0) - 0.8 * (demand - sold)


class Replay:
    def __init__(self, size, seed):
        self.rows = deque(maxlen=size)
        self.rng = random.Random(seed)

    def add(self, *row):
        self.rows.append(row)

    def sample(self, n):
        s, a, r, s2 = zip(*self.rng.sample(self.rows, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2)
