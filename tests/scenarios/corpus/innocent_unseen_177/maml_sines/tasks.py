import itertools
import math

import torch


class SineTask:
    def __init__(self, key, amplitude, phase, gen):
        self.key = key
        self.amplitude, self.phase = amplitude, phase
        self.gen = gen

    def points(self, n):
        x = 10 * torch.rand(n, 1, generator=self.gen) - 5
        return x / 5, self.amplitude * torch.sin(x + self.phase)

    def split(self, support=10, query=15):
        return self.points(support), self.points(query)


class SineTasks:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.keys = itertools.count()

    def draw(self):
        a, p = torch.rand(2, generator=self.gen).tolist()
        return SineTask(next(self.keys), 0.5 + 2 * a, math.pi * p, self.gen)
