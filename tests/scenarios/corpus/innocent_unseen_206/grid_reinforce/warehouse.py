import random

import torch


class Warehouse:
    MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, size, seed):
        self.size = size
        self.obs_size = 4
        self.rng = random.Random(seed)

    def reset(self):
        spot = lambda: (self.rng.randrange(self.size), self.rng.randrange(self.size))
        self.me, self.goal = spot(), spot()
        while self.goal == self.me:
            self.goal = spot()
        self.clock = 0
        return self.look()

    def look(self):
        flat = [*self.me, *self.goal]
        return torch.tensor(flat, dtype=torch.float32) / (self.size - 1) - 0.5

    def step(self, action):
        self.clock += 1
        dx, dy = self.MOVES[action]
        clamp = lambda v: min(self.size - 1, max(0, v))
        self.me = (clamp(self.me[0] + dx), clamp(self.me[1] + dy))
        if self.me == self.goal:
            return self.look(), 1.0, True
        return self.look(), -0.02, self.clock >= 40
