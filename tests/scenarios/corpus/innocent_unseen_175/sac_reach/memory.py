"""Bounded transition memory."""
import random
from collections import deque

import torch


class Memory:
    def __init__(self, capacity, seed=0):
        self.data = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.data)

    def add_batch(self, s, a, r, s2):
        for row in zip(s.unbind(0), a.unbind(0), r.unbind(0), s2.unbind(0)):
            self.data.append(tuple(t.clone() for t in row))

    def sample(self, n):
        rows = self.rng.choices(self.data, k=n)
        return [torch.stack(col) for col in zip(*rows)]
