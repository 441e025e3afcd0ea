import torch


class Chain:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1
        return o

    def step(self, a):
        self.t += 1
        self.pos = min(self.n - 1, self.pos + 1) if a else max(0, self.pos - 1)
        end = self.pos == self.n - 1
        return self._obs(), 1.0 if end else 0.0, end or self.t > 30
