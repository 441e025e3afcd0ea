import math
from typing import NamedTuple

import torch


class Sine(NamedTuple):
    amplitude: float
    phase: float

    @property
    def key(self):
        return round(self.amplitude * 2), round(self.phase * 4)


class SineTasks:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def draw(self):
        a, p = torch.rand(2, generator=self.g).tolist()
        return Sine(0.5 + 4 * a, math.pi * p)

    def batch(self, task, n):
        x = 10 * torch.rand(n, 1, generator=self.g) - 5
        return x, task.amplitude * torch.sin(x + task.phase)
