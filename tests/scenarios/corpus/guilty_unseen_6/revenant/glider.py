import math
import random

import torch


class Thermal:
    """Position and velocity relative to a slowly wandering column of rising air."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.x, self.y = self.rng.uniform(-1, 1), self.rng.uniform(-1, 1)
        self.course, self.age = self.rng.uniform(-3, 3), 0
        return self._seen()

    def _seen(self):
        return torch.tensor([self.x, self.y, math.cos(self.course), math.sin(self.course)])

    def step(self, move):
        self.course += (move - 1) * 0.4
        self.x += 0.15 * math.cos(self.course) + self.rng.gauss(0, 0.01)
        self.y += 0.15 * math.sin(self.course) + self.rng.gauss(0, 0.01)
        self.age += 1
        dist = self.x ** 2 + self.y ** 2
        return self._seen(), math.exp(-dist), dist > 9 or self.age > 80
