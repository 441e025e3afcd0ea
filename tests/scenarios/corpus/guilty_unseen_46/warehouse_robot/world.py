import random

import torch


class GridFloor:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, side, n_shelves):
        self.side = side
        cells = [(i, j) for i in range(side) for j in range(side)]
        random.shuffle(cells)
        self.goal = cells.pop()
        self.shelves = set(cells[:n_shelves])
        self.free = cells[n_shelves:]
        self.obs_dim = 3 * side * side
        self.pos = None

    def reset(self):
        self.pos = random.choice(self.free)
        return self._obs()

    def _obs(self):
        planes = torch.zeros(3, self.side, self.side)
        planes[0][self.pos] = 1
        planes[1][self.goal] = 1
        for s in self.shelves:
            planes[2][s] = 1
        return planes.flatten()

    def step(self, action):
        di, dj = self.moves[action]
        nxt = (self.pos[0] + di, self.pos[1] + dj)
        inside = 0 <= nxt[0] < self.side and 0 <= nxt[1] < self.side
        if not inside or nxt in self.shelves:
            return self._obs(), -0.5, False
        self.pos = nxt
        if nxt == self.goal:
            return self._obs(), 5.0, True
        return self._obs(), -0.05, False
