"""A corridor whose first cell shows which way to turn at its end."""
import random

import torch


class CueCorridor:
    n_obs, n_actions = 4, 3

    def __init__(self, length, seed):
        self.length = length
        self.rng = random.Random(seed)

    def reset(self):
        self.cue = self.rng.randint(0, 1)
        self.cell = self.clock = 0
        return self._observe()

    def _observe(self):
        obs = torch.zeros(self.n_obs)
        if self.cell == 0:
            obs[self.cue] = 1.0
        obs[2] = float(self.cell == self.length)
        obs[3] = self.cell / self.length
        return obs

    def step(self, action):
        self.clock += 1
        if self.cell == self.length and action < 2:
            return self._observe(), 1.0 if action == self.cue else -1.0, True
        if action == 2:
            self.cell = min(self.cell + 1, self.length)
        return self._observe(), -0.02, self.clock >= 3 * self.length
