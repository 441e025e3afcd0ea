import random

import torch


class Lift:
    def __init__(self, floors, patience=12):
        self.floors, self.patience = floors, patience
        self.rng = random.Random(4)

    def _obs(self):
        return torch.tensor([self.floor / self.floors, self.caller / self.floors, float(self.floor == self.caller)])

    def reset(self):
        self.floor, self.caller = self.rng.randrange(self.floors), self.rng.randrange(self.floors)
        self.t = 0
        return self._obs()

    def step(self, move):
        self.t += 1
        if move == 2:
            return self._obs(), (1.0 if self.floor == self.caller else -0.5), True
        self.floor = max(0, min(self.floors - 1, self.floor + (1 if move else -1)))
        return self._obs(), -0.05, self.t >= self.patience
