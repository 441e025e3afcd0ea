import random

import torch

random.seed(37)


class Haggle:
    def __init__(self, max_turns):
        self.max_turns = max_turns

    def open(self):
        self.limit = random.uniform(0.3, 0.9)
        self.turn, self.ask = 0, 0.1
        return self._view(0.0)

    def _view(self, mood):
        return torch.tensor([[self.ask, mood, self.turn / self.max_turns]])

    def reply(self, move):
        self.turn += 1
        if move == 4:
            return self._view(1.0), self.ask, True
        self.ask += 0.08 * move
        if self.ask > self.limit:
            return self._view(-1.0), -0.2, True
        return self._view(self.limit - self.ask), 0.0, self.turn >= self.max_turns
