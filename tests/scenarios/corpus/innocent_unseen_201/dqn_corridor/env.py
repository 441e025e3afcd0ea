import random

import torch


class Corridor:
    n_actions = 3

    def __init__(self, length, seed):
        self.length = length
        self.obs_dim = length + 1
        self.rng = random.Random(seed)
        self.pos = self.clock = 0

    def _obs(self):
        v = torch.zeros(self.obs_dim)
        v[self.pos] = 1.0
        v[-1] = self.clock / 50
        return v

    def reset(self):
        self.pos, self.clock = self.rng.randrange(self.length // 2), 0
        return self._obs()

    def step(self, action):
        self.clock += 1
        if self.rng.random() < 0.9:
            self.pos = min(self.length - 1, max(0, self.pos + action - 1))
        goal = self.pos == self.length - 1
        return self._obs(), (1.0 if goal else -0.01), goal or self.clock >= 50
