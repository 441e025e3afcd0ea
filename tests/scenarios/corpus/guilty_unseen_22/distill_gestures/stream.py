import math

import torch


class GestureStream:
    """Three-axis bursts; every class is a pair of frequencies with its own phase shift."""

    def __init__(self, classes, length=64, seed=0):
        self.rng = torch.Generator().manual_seed(seed)
        self.freq = 1 + 7 * torch.rand(classes, 3, 1, generator=self.rng)
        self.phase = 2 * math.pi * torch.rand(classes, 3, 1, generator=self.rng)
        self.t = torch.linspace(0, 1, length)
        self.classes = classes

    def next(self, n):
        y = torch.randint(self.classes, (n,), generator=self.rng)
        jitter = 0.3 * torch.randn(n, 1, 1, generator=self.rng)
        x = torch.sin(2 * math.pi * self.freq[y] * self.t + self.phase[y] + jitter)
        return x + 0.2 * torch.randn(x.shape, generator=self.rng), y
