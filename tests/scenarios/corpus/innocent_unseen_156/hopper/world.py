import math
import random

import torch


class PoleBalance:
    def __init__(self, seed=3):
        self.rng = random.Random(seed)

    def reset(self):
        self.angle, self.rate = self.rng.uniform(-0.1, 0.1), 0.0
        return self._obs()

    def _obs(self):
        return torch.tensor([5 * self.angle, self.rate])

    def step(self, action):
        push = 1.0 if action else -1.0
        self.rate += 0.1 * (4.0 * math.sin(self.angle) + 1.5 * push + 0.2 * self.rng.gauss(0, 1))
        self.angle += 0.1 * self.rate
        over = abs(self.angle) > 0.5
        return self._obs(), (0.0 if over else 1.0), over
