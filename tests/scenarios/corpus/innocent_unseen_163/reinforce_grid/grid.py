import torch


class Grid:
    moves = ((0, 1), (1, 0), (0, -1), (-1, 0))

    def __init__(self, n=4, limit=25):
        self.n, self.limit = n, limit

    def reset(self):
        self.r = self.c = self.t = 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(2 * self.n)
        o[self.r], o[self.n + self.c] = 1.0, 1.0
        return o

    def step(self, a):
        dr, dc = self.moves[a]
        self.r = min(self.n - 1, max(0, self.r + dr))
        self.c = min(self.n - 1, max(0, self.c + dc))
        self.t += 1
        won = self.r == self.c == self.n - 1
        return self._obs(), 1.0 if won else -0.02, won or self.t >= self.limit
