import random

import torch


class WindyGrid:
    """6x6 grid; wind pushes the agent up in the middle columns."""

    n_actions = 4
    moves = ((0, 1), (0, -1), (1, 0), (-1, 0))

    def __init__(self, size=6, horizon=40):
        self.size, self.horizon = size, horizon
        self.obs_dim = 2 * size

    def reset(self):
        self.x, self.y, self.t = 0, random.randrange(self.size), 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.obs_dim)
        o[self.x] = 1.0
        o[self.size + self.y] = 1.0
        return o

    def step(self, action):
        dx, dy = self.moves[action]
        if 2 <= self.x <= 3 and random.random() < 0.5:
            dy += 1
        self.x = min(max(self.x + dx, 0), self.size - 1)
        self.y = min(max(self.y + dy, 0), self.size - 1)
        self.t += 1
        goal = self.x == self.size - 1 and self.y == 1
        return self._obs(), (1.0 if goal else -0.02), goal or self.t >= self.horizon
