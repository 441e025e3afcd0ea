import math

import torch


class FeederStream:
    """Hourly load of several feeders: day and week shape, own level, noise."""

    def __init__(self, feeders, window, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.window = window
        self.level = 0.5 + torch.rand(feeders, generator=self.gen)
        self.phase = 2 * math.pi * torch.rand(feeders, generator=self.gen)

    def load(self, hours):
        day = torch.sin(2 * math.pi * hours[:, None] / 24 + self.phase)
        week = 0.3 * torch.sin(2 * math.pi * hours[:, None] / 168)
        return self.level * (1 + 0.5 * day + week)

    def take(self, n):
        for k in range(n):
            hours = torch.arange(k * self.window, (k + 1) * self.window + 1, dtype=torch.float)
            load = self.load(hours)
            load = load + 0.05 * torch.randn(load.shape, generator=self.gen)
            clock = (2 * math.pi * hours / 24)[:, None].expand_as(load)
            x = torch.stack([load, clock.sin(), clock.cos()], dim=-1)
            yield x[:-1], load[1:]
