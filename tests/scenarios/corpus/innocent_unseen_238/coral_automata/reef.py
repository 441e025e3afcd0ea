import random

import torch


class Reef:
    def __init__(self, size, make):
        self.grids = [make() for _ in range(size)]
        self.age = [0] * size

    def take(self, n):
        idx = random.sample(range(len(self.grids)), n)
        return idx, torch.stack([self.grids[i] for i in idx])

    def put(self, idx, batch):
        settled = batch.detach().clone()
        for slot, grid in zip(idx, settled):
            self.grids[slot] = grid
            self.age[slot] += 1

    def oldest(self):
        return max(self.age)
