import math
import random


class Env:
    n_actions = 0

    def reset(self):
        raise NotImplementedError

    def step(self, action):
        raise NotImplementedError


class Swing(Env):
    """A pendulum with three torques; the reward asks for height."""

    n_actions = 3

    def __init__(self, horizon=100, dt=0.1):
        self.horizon, self.dt = horizon, dt

    def _obs(self):
        return [math.cos(self.th), math.sin(self.th), self.om / 4]

    def reset(self):
        self.th, self.om, self.t = random.uniform(-0.3, 0.3), 0.0, 0
        return self._obs()

    def step(self, action):
        torque = (action - 1) * 1.5
        self.om += self.dt * (-5.0 * math.sin(self.th) + torque - 0.05 * self.om)
        self.om = max(-8.0, min(8.0, self.om))
        self.th += self.dt * self.om
        self.t += 1
        return self._obs(), -math.cos(self.th) * 0.5 + 0.5, self.t >= self.horizon
