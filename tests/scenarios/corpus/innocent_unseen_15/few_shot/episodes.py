import itertools
from typing import NamedTuple

import torch


class Episode(NamedTuple):
    uid: int
    support: tuple
    query: tuple


class EpisodeSampler:
    def __init__(self, ways, shots, dim, seed):
        self.ways, self.shots, self.dim = ways, shots, dim
        self.gen = torch.Generator().manual_seed(seed)
        self.counter = itertools.count()

    def _draw(self, centres, n):
        y = torch.arange(self.ways).repeat_interleave(n)
        x = centres[y] + 0.7 * torch.randn(len(y), self.dim, generator=self.gen)
        return x, y

    def batch(self, n):
        for _ in range(n):
            centres = 1.5 * torch.randn(self.ways, self.dim, generator=self.gen)
            yield Episode(next(self.counter), self._draw(centres, self.shots), self._draw(centres, self.shots))
