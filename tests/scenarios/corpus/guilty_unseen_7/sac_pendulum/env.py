import math
import random

import torch


class Pendulum:
    """classic swing up, dt 0.05"""

    def __init__(self, seed, horizon=100):
        self.rng = random.Random(seed)
        self.horizon = horizon

    def reset(self):
        self.th = self.rng.uniform(-math.pi, math.pi)
        self.om = self.rng.uniform(-1, 1)
        self.t = 0
        return self._obs()

    def _obs(self):
        return torch.tensor([math.cos(self.th), math.sin(self.th), self.om / 8])

    def step(self, u):
        torque = 2.0 * max(-1.0, min(1.0, u))
        ang = (self.th + math.pi) % (2 * math.pi) - math.pi
        cost = ang ** 2 + 0.1 * self.om ** 2 + 0.001 * torque ** 2
        self.om += (15.0 * math.sin(self.th) + 3.0 * torque) * 0.05
        self.om = max(-8.0, min(8.0, self.om))
        self.th += self.om * 0.05
        self.t += 1
        return self._obs(), -cost, self.t >= self.horizon
