import math

import torch


class Crane:
    """A swinging load under gusts; the reward is high when the load hangs still."""
    n_obs = 4

    def reset(self):
        self.angle, self.speed, self.t = 0.3, 0.0, 0
        return self._obs()

    def _obs(self):
        return torch.tensor([self.angle, self.speed, math.sin(self.t / 9), math.cos(self.t / 9)])

    def step(self):
        gust = 0.4 * math.sin(self.t / 9) + 0.1 * torch.randn(()).item()
        self.speed += 0.1 * (-2.0 * math.sin(self.angle) - 0.3 * self.speed + gust)
        self.angle += 0.1 * self.speed
        self.t += 1
        return self._obs(), -abs(self.angle)
