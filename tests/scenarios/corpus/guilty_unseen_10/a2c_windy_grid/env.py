"""Windy grid world (Sutton & Barto, example 6.5) with one-hot observations of row and column."""
import torch


class WindyGrid:
    ROWS, COLS = 5, 7
    OBS = ROWS + COLS
    ACTIONS = 4
    WIND = (0, 0, 1, 1, 2, 1, 0)
    GOAL = (2, 5)
    MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))

    def __init__(self, rng, limit=40):
        self.rng = rng
        self.limit = limit
        self.reset()

    def reset(self):
        self.t = 0
        self.pos = (self.rng.randrange(self.ROWS), 0)
        return self._obs()

    def _obs(self):
        v = torch.zeros(self.OBS)
        v[self.pos[0]] = 1.0
        v[self.ROWS + self.pos[1]] = 1.0
        return v

    def step(self, a):
        r, c = self.pos
        dr, dc = self.MOVES[a]
        r = min(max(r + dr - self.WIND[c], 0), self.ROWS - 1)
        c = min(max(c + dc, 0), self.COLS - 1)
        self.pos = (r, c)
        self.t += 1
        won = self.pos == self.GOAL
        return self._obs(), (1.0 if won else -0.02), won or self.t >= self.limit
