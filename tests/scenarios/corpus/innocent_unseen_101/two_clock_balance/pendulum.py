import math
import random

import torch


class Pendulum:
    LIMIT = 45

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def _obs(self):
        return torch.tensor([math.sin(self.theta), math.cos(self.theta), self.omega])

    def reset(self):
        self.theta = self.rng.uniform(-0.1, 0.1)
        self.omega = self.rng.uniform(-0.1, 0.1)
        self.t = 0
        return self._obs()

    def step(self, action):
        torque = (action - 1) * 0.6
        self.omega += 0.1 * (math.sin(self.theta) + torque) + self.rng.gauss(0, 0.05)
        self.theta += 0.1 * self.omega
        self.t += 1
        done = abs(self.theta) > 0.7 or self.t >= self.LIMIT
        return self._obs(), 1.0 - abs(self.theta), done
