import torch


class Chain:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        return torch.eye(self.n)[self.pos]

    def step(self, a):
        self.t += 1
        self.pos = min(self.n - 1, self.pos + 1) if a else 0
        done = self.pos == self.n - 1 or self.t >= 30
        return self._obs(), (1.0 if self.pos == self.n - 1 else 0.01 * (a == 0)), done
