import random

import torch


class LineWalk:
    obs, acts, length = 9, 3, 9

    def reset(self):
        self.at, self.t = self.length // 2, 0
        return self._see()

    def _see(self):
        v = torch.zeros(self.length)
        v[self.at] = 1.0
        return v

    def step(self, a):
        slip = random.random() < 0.1
        self.at = min(self.length - 1, max(0, self.at + (0 if slip else a - 1)))
        self.t += 1
        won = self.at == self.length - 1
        return self._see(), (1.0 if won else -0.02), won or self.t >= 25
