import random

import torch


class Elevator:
    n_actions = 3

    def __init__(self, floors, seed):
        self.floors = floors
        self.obs_size = 2 * floors
        self.rng = random.Random(seed)

    def reset(self):
        self.at = self.rng.randrange(self.floors)
        self.waiting = [int(self.rng.random() < 0.4) for _ in range(self.floors)]
        self.limit = self.rng.randrange(25, 60)
        self.clock = 0
        return self.observe()

    def observe(self):
        here = [float(i == self.at) for i in range(self.floors)]
        return torch.tensor(here + [float(w) for w in self.waiting])

    def step(self, action):
        self.clock += 1
        reward = -0.05 * sum(1 for w in self.waiting if w)
        if action == 2:
            reward += 1.0 if self.waiting[self.at] else -0.2
            self.waiting[self.at] = 0
        else:
            self.at = min(self.floors - 1, max(0, self.at + (1 if action else -1)))
        if self.rng.random() < 0.15:
            self.waiting[self.rng.randrange(self.floors)] = 1
        return self.observe(), reward, self.clock >= self.limit
