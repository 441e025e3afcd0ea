import torch


class Aisle:
    """A robot moves along an aisle to the shelf to be picked."""

    def __init__(self, length, horizon):
        self.length, self.horizon = length, horizon

    def reset(self):
        self.pos, self.goal = torch.randint(self.length, (2,)).tolist()
        self.left = self.horizon
        return self._obs()

    def _obs(self):
        return torch.tensor([self.pos / self.length, self.goal / self.length, self.left / self.horizon])

    def step(self, a):
        self.pos = min(self.length - 1, max(0, self.pos + a - 1))
        self.left -= 1
        there = self.pos == self.goal
        return self._obs(), (1.0 if there else -0.05), there or self.left == 0
