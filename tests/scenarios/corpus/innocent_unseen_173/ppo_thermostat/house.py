import math
import random


class House:
    """Room temperature under outside weather; actions: off, low, high."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.reset()

    def reset(self):
        self.temp = 15 + 8 * self.rng.random()
        self.hour = self.rng.randrange(24)
        self.age = 0
        return self.view()

    def view(self):
        a = 2 * math.pi * self.hour / 24
        return [(self.temp - 20) / 5, math.sin(a), math.cos(a)]

    def step(self, action):
        outside = 8 + 6 * math.sin(2 * math.pi * (self.hour - 9) / 24) + self.rng.gauss(0, 1)
        self.temp += 0.1 * (outside - self.temp) + (0.0, 0.8, 2.0)[action]
        self.hour = (self.hour + 1) % 24
        self.age += 1
        reward = -abs(self.temp - 20) / 5 - (0.0, 0.05, 0.15)[action]
        return self.view(), reward, self.age >= 48
