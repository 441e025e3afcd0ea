import math

import torch


class Building:
    def __init__(self, n):
        self.n, self.t = n, 0

    def reset(self):
        self.temp = 18 + 2 * torch.randn(self.n)
        return self._obs()

    def _outside(self):
        return 8 + 6 * math.sin(self.t / 12)

    def _obs(self):
        out = torch.full((self.n,), self._outside() / 10)
        return torch.stack([(self.temp - 21) / 5, out], dim=1)

    def step(self, action):
        heat = action.float()  # 0, 1 or 2
        self.temp = self.temp + 0.1 * (self._outside() - self.temp) + 1.1 * heat
        self.t += 1
        reward = -(self.temp - 21).abs() / 5 - 0.05 * heat
        return self._obs(), reward
