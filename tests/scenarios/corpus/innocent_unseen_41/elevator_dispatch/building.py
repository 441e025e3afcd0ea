import random

import torch


class Building:
    n_actions = 3

    def __init__(self, floors, seed=1):
        self.floors = floors
        self.rng = random.Random(seed)
        self.cab = 0
        self.queue = [0] * floors
        self.obs_dim = 2 * floors

    def observe(self):
        here = [1.0 if f == self.cab else 0.0 for f in range(self.floors)]
        return torch.tensor(here + [q / 5 for q in self.queue])

    def step(self, act):
        if act < 2:
            self.cab = min(max(self.cab + (1 if act else -1), 0), self.floors - 1)
        else:
            self.queue[self.cab] = 0
        if self.rng.random() < 0.4:
            f = self.rng.randrange(self.floors)
            self.queue[f] = min(self.queue[f] + 1, 9)
        return -sum(self.queue) / 10
