import math

import torch


class LoadSeries:
    """Synthetic hourly load with daily and weekly seasons."""

    def __init__(self, context, seed, hours=24 * 7 * 30):
        gen = torch.Generator().manual_seed(seed)
        t = torch.arange(hours, dtype=torch.float32)
        daily = torch.sin(2 * math.pi * t / 24)
        weekly = 0.4 * torch.cos(2 * math.pi * t / 168)
        self.values = daily + weekly + 0.15 * torch.randn(hours, generator=gen)
        self.context = context
        self.gen = gen

    def batch(self, hour, size):
        hi = len(self.values) - self.context - 24
        start = torch.randint(0, hi, (size,), generator=self.gen)
        idx = start[:, None] + torch.arange(self.context)
        return self.values[idx], self.values[start + self.context + 23]
