import random

import torch


class BufferLine:
    """One buffer between two machines; run the upstream machine or let it idle."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.level, self.t = 3, 0
        return self._see()

    def _see(self):
        return torch.tensor([self.level / 6, self.t / 10])

    def step(self, run):
        self.t += 1
        self.level += run
        shipped = 1 if self.level > 0 and self.rng.random() < 0.7 else 0
        self.level -= shipped
        over = max(0, self.level - 6)
        self.level = min(self.level, 6)
        return self._see(), shipped - 0.1 * self.level - over, self.t >= 10
