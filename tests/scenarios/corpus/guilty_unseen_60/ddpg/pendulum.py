import math
import random


class Pendulum:
    """Torque-limited swing-up (same equations as Pendulum-v1)."""

    max_speed, max_torque, dt, g, m, l = 8.0, 2.0, 0.05, 10.0, 1.0, 1.0

    def __init__(self, seed=0):
        self.rng = random.Random(seed)

    def _obs(self):
        return [math.cos(self.th), math.sin(self.th), self.thdot / self.max_speed]

    def reset(self):
        self.th = self.rng.uniform(-math.pi, math.pi)
        self.thdot = self.rng.uniform(-1, 1)
        return self._obs()

    def step(self, u):
        u = max(-self.max_torque, min(self.max_torque, u))
        angle = ((self.th + math.pi) % (2 * math.pi)) - math.pi
        cost = angle ** 2 + 0.1 * self.thdot ** 2 + 0.001 * u ** 2
        acc = 3 * self.g / (2 * self.l) * math.sin(self.th) + 3.0 / (self.m * self.l ** 2) * u
        self.thdot = max(-self.max_speed, min(self.max_speed, self.thdot + acc * self.dt))
        self.th += self.thdot * self.dt
        return self._obs(), -cost
