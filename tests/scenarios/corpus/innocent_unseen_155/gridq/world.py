import random

import torch


class Grid:
    moves = ((1, 0), (-1, 0), (0, 1), (0, -1))

    def __init__(self, size=4):
        self.size = size

    def reset(self):
        self.pos, self.t = [random.randrange(self.size), random.randrange(self.size)], 0
        return self.obs()

    def obs(self):
        o = torch.zeros(2, self.size)
        o[0, self.pos[0]] = o[1, self.pos[1]] = 1.0
        return o.flatten()

    def step(self, a):
        self.t += 1
        for k in (0, 1):
            self.pos[k] = min(self.size - 1, max(0, self.pos[k] + self.moves[a][k]))
        goal = self.pos == [self.size - 1, self.size - 1]
        return self.obs(), 1.0 if goal else -0.02, goal or self.t > 20
