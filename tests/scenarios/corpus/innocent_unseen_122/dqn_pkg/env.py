import torch


class CliffGrid:
    W, H = 5, 3
    n_act = 4

    @property
    def n_obs(self):
        return self.W * self.H

    def reset(self):
        self.r, self.c, self.t = 0, 0, 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.n_obs)
        o[self.r * self.W + self.c] = 1
        return o

    def step(self, a):
        dr, dc = ((-1, 0), (1, 0), (0, -1), (0, 1))[a]
        self.r = min(self.H - 1, max(0, self.r + dr))
        self.c = min(self.W - 1, max(0, self.c + dc))
        self.t += 1
        if self.r == 0 and 0 < self.c < self.W - 1:
            return self._obs(), -1.0, True
        if self.r == 0 and self.c == self.W - 1:
            return self._obs(), 1.0, True
        return self._obs(), -0.02, self.t > 30
