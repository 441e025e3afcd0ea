import random

import torch


class WindField:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0), (0, 0)]

    def reset(self):
        self.pos = [random.uniform(-2, 2), random.uniform(-2, 2)]
        self.wind = [random.gauss(0, 0.2), random.gauss(0, 0.2)]
        self.left = 20
        return self.look()

    def look(self):
        return torch.tensor(self.pos + self.wind)

    def step(self, a):
        dx, dy = self.moves[a]
        self.pos[0] += 0.4 * dx + self.wind[0]
        self.pos[1] += 0.4 * dy + self.wind[1]
        self.left -= 1
        dist = (self.pos[0] ** 2 + self.pos[1] ** 2) ** 0.5
        return self.look(), -dist * 0.1, self.left == 0 or dist > 6
