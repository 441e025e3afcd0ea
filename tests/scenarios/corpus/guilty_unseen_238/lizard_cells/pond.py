import random

import torch


class Pond:
    """Sample pool: grids that have grown for a while go back in the water."""

    def __init__(self, channels, side, n_slots):
        self.channels = channels
        self.side = side
        self.slots = [self.egg() for _ in range(n_slots)]
        self.age = [0] * n_slots

    def egg(self):
        grid = torch.zeros(self.channels, self.side, self.side)
        grid[3:, self.side // 2, self.side // 2] = 1.0
        return grid

    def scoop(self, n):
        where = random.sample(range(len(self.slots)), n)
        batch = torch.stack([self.slots[i].detach() for i in where])
        return where, batch

    def pour_back(self, where, batch):
        for i, grid in zip(where, batch):
            self.slots[i] = grid  # <- culprit
            self.age[i] += 1

    def grown(self):
        return sum(1 for a in self.age if a > 0)
