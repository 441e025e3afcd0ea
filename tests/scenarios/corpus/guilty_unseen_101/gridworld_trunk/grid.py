import random

import torch

MOVES = [(0, 1), (1, 0), (0, -1), (-1, 0)]


class Grid:
    def __init__(self, size, slip, seed):
        self.size, self.slip = size, slip
        self.rng = random.Random(seed)
        self.goal = (size - 1, size - 1)
        self.n_obs = 4

    def _obs(self):
        r, c = self.pos
        s = self.size - 1
        return torch.tensor([r / s, c / s, (self.goal[0] - r) / s, (self.goal[1] - c) / s])

    def reset(self):
        self.pos = (self.rng.randrange(self.size - 1), self.rng.randrange(self.size - 1))
        return self._obs()

    def step(self, action):
        if self.rng.random() < self.slip:
            action = self.rng.randrange(4)
        dr, dc = MOVES[action]
        r = min(max(self.pos[0] + dr, 0), self.size - 1)
        c = min(max(self.pos[1] + dc, 0), self.size - 1)
        self.pos = (r, c)
        dist = abs(self.goal[0] - r) + abs(self.goal[1] - c)
        return self._obs(), 1.0 if dist == 0 else -0.05 * dist / self.size
