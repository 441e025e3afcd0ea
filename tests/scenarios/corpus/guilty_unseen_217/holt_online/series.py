import math

import torch


class LoadSeries:
    """Hourly electricity load of several stations, one time step per next()."""

    def __init__(self, stations, period, noise):
        self.phase = torch.rand(stations) * 2 * math.pi
        self.slope = torch.randn(stations) * 0.01
        self.period, self.noise = period, noise

    def __iter__(self):
        t = 0
        while True:
            y = 2 + self.slope * t + torch.sin(2 * math.pi * t / self.period + self.phase)
            yield t, y + self.noise * torch.randn_like(y)
            t += 1
