"""The pole on a cart, as far as needed."""

import math
import random


class CartPole:
    def __init__(self, seed=0, limit=300):
        self.rng = random.Random(seed)
        self.limit = limit

    def reset(self):
        self.s = [self.rng.uniform(-0.05, 0.05) for _ in range(4)]
        self.t = 0
        return list(self.s)

    def step(self, action):
        x, v, a, w = self.s
        force = 10.0 if action == 1 else -10.0
        c, s = math.cos(a), math.sin(a)
        temp = (force + 0.05 * w * w * s) / 1.1
        acc = (9.8 * s - c * temp) / (0.5 * (4 / 3 - 0.1 * c * c / 1.1))
        push = temp - 0.05 * acc * c / 1.1
        self.s = [x + 0.02 * v, v + 0.02 * push, a + 0.02 * w, w + 0.02 * acc]
        self.t += 1
        fell = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.21
        return list(self.s), 1.0, fell, self.t >= self.limit
