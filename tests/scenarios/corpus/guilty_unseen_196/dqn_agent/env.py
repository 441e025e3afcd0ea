import random


class GridWorld:
    """5x5 grid, goal in the corner, pits on the diagonal."""

    def __init__(self, size=5, seed=0):
        self.size = size
        self.rng = random.Random(seed)
        self.pits = {(1, 3), (3, 1)}
        self.reset()

    def reset(self):
        self.pos = (self.rng.randrange(2), self.rng.randrange(2))
        self.t = 0
        return self._obs()

    def _obs(self):
        return [self.pos[0] / self.size, self.pos[1] / self.size, self.t / 30]

    def step(self, a):
        dx, dy = [(0, 1), (1, 0), (0, -1), (-1, 0)][a]
        x = min(max(self.pos[0] + dx, 0), self.size - 1)
        y = min(max(self.pos[1] + dy, 0), self.size - 1)
        self.pos = (x, y)
        self.t += 1
        if self.pos in self.pits:
            return self._obs(), -1.0, True
        if self.pos == (self.size - 1, self.size - 1):
            return self._obs(), 1.0, True
        return self._obs(), -0.01, self.t >= 30
