"""A lander in one dimension: fire the engine or don't."""
import random

import torch


class Lander:
    def reset(self):
        self.height, self.speed, self.t = 1.0 + random.random(), 0.0, 0
        return self._obs()

    def _obs(self):
        return torch.tensor([self.height, self.speed])

    def step(self, thrust):
        self.speed += 0.12 * thrust - 0.05
        self.height += self.speed
        self.t += 1
        down = self.height <= 0
        reward = 0.05 if not down else 1.0 - 8 * abs(self.speed)
        return self._obs(), reward, down or self.t >= 25
