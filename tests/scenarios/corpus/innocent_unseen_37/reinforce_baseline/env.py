import random

import torch


class RiverCrossing:
    n_obs, n_act = 3, 3

    def __init__(self, seed, width=6):
        self.rnd = random.Random(seed)
        self.width = width

    def _obs(self):
        return torch.tensor([self.x / self.width, self.drift, self.t / 12])

    def reset(self):
        self.x, self.t, self.drift = 0, 0, self.rnd.choice([-1.0, 1.0])
        return self._obs()

    def step(self, a):
        self.t += 1
        good = (a == 0) if self.drift > 0 else (a == 1)
        self.x += 1 if good else 0
        if self.rnd.random() < 0.3:
            self.drift = -self.drift
        done = self.x >= self.width or self.t >= 12
        return self._obs(), (2.0 if self.x >= self.width else -0.1), done
