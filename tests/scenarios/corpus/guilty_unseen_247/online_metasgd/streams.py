import math

import torch


class DriftingSinusoids:
    def __init__(self, batch, seed):
        self.batch = batch
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = 0.0

    def _draw(self):
        x = torch.rand(self.batch, 1, generator=self.gen) * 10 - 5
        y = torch.sin(x + self.phase)
        return x, y

    def next(self):
        self.phase = (self.phase + 0.01) % (2 * math.pi)
        support = self._draw()
        query = self._draw()
        return support, query
