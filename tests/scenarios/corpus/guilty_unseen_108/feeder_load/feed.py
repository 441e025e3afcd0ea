import math

import torch


class FeederStream:
    """Yields (day index, load[feeders, buckets]) in megawatts."""

    def __init__(self, n_feeders, buckets, days):
        self.n_feeders = n_feeders
        self.buckets = buckets
        self.days = days
        g = torch.Generator().manual_seed(5)
        self.base = 8.0 + 4.0 * torch.rand(n_feeders, generator=g)
        self.peak = 1.0 + 2.0 * torch.rand(n_feeders, generator=g)
        self.growth = 0.004 * torch.randn(n_feeders, generator=g)
        self.gen = g

    def __len__(self):
        return self.days

    def __iter__(self):
        hours = torch.arange(self.buckets) / self.buckets * 2 * math.pi
        for day in range(self.days):
            shape = torch.sin(hours - 1.2) + 0.3 * torch.sin(2 * hours)
            weekend = 0.8 if day % 7 in (5, 6) else 1.0
            load = self.base[:, None] + weekend * self.peak[:, None] * shape
            load = load + self.growth[:, None] * day
            yield day, load + 0.15 * torch.randn(load.shape, generator=self.gen)
