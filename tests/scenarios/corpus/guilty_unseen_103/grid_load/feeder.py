import math

import torch


class FeederStream:
    """Synthetic half-hourly load for a handful of feeders."""

    def __init__(self, n_feeders, lags):
        self.g = torch.Generator().manual_seed(5)
        self.base = torch.rand(n_feeders, generator=self.g) + 0.5
        self.window = [self.base.clone() for _ in range(lags)]
        self.t = 0

    @property
    def width(self):
        return len(self.window) + 2

    def next_slot(self):
        phase = 2 * math.pi * self.t / 48
        cal = torch.tensor([math.sin(phase), math.cos(phase)]).expand(len(self.base), 2)
        x = torch.cat([torch.stack(self.window, 1), cal], 1)
        noise = 0.05 * torch.randn(len(self.base), generator=self.g)
        load = self.base * (1 + 0.3 * math.sin(phase)) + 0.0004 * self.t + noise
        self.window = self.window[1:] + [load]
        self.t += 1
        return x, load
