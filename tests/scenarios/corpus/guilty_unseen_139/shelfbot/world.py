import random

import torch


class Aisle:
    """A picker robot in one aisle, sent to random shelf positions."""

    def __init__(self, length):
        self.length = length

    def reset(self):
        self.pos = random.randrange(self.length)
        self.goal = random.randrange(self.length)
        self.age = 0
        return self._view()

    def _view(self):
        n = self.length
        return torch.tensor([self.pos / n, self.goal / n, self.age / 20])

    def step(self, act):
        self.pos = min(self.length - 1, max(0, self.pos + act - 1))
        self.age += 1
        hit = self.pos == self.goal
        return self._view(), (1.0 if hit else -0.05), hit or self.age >= 20
