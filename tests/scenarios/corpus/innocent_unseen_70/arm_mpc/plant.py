import math
import random

import torch


class Arm:
    def __init__(self, seed=5):
        self.rng = random.Random(seed)
        self.new_goal()

    def new_goal(self):
        self.goal = self.rng.uniform(-1, 1)

    def reset(self):
        self.angle, self.speed = 0.0, 0.0
        return self.observe()

    def observe(self):
        return torch.tensor([self.angle, self.speed])

    def move(self, torque):
        push = 3.0 * float(torque) - 0.8 * math.sin(self.angle) - 0.5 * self.speed
        self.speed += 0.1 * push + self.rng.gauss(0, 0.01)
        self.angle += 0.1 * self.speed
        return self.observe()


class Experience:
    def __init__(self, capacity):
        self.capacity = capacity
        self.rows = []

    def __len__(self):
        return len(self.rows)

    def add(self, *row):
        self.rows = self.rows[-(self.capacity - 1):] + [row]

    def window(self, length):
        length = min(length, len(self.rows))
        start = random.randint(0, len(self.rows) - length)
        return tuple(torch.stack(col) for col in zip(*self.rows[start:start + length]))
