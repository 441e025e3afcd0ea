import math
import random

import torch


class Pendulum:
    def __init__(self, horizon=60, dt=0.05):
        self.horizon, self.dt = horizon, dt

    def reset(self):
        self.th, self.om, self.t = random.uniform(-math.pi, math.pi), 0.0, 0
        return self._obs()

    def _obs(self):
        return torch.tensor([math.cos(self.th), math.sin(self.th), self.om / 8])

    def step(self, act):
        u = 2 * float(act[0])
        cost = self.th ** 2 + 0.1 * self.om ** 2 + 0.001 * u * u
        self.om = max(-8.0, min(8.0, self.om + self.dt * (15 * math.sin(self.th) + 3 * u)))
        self.th = (self.th + self.dt * self.om + math.pi) % (2 * math.pi) - math.pi
        self.t += 1
        return self._obs(), -cost, self.t >= self.horizon
