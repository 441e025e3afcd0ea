import math

import torch


class OrderFeed:
    """Hourly picks per aisle at several sites, with a daily rhythm and slow promotions."""

    def __init__(self, aisles, sites, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = 2 * math.pi * torch.rand(sites, aisles, generator=self.gen)
        self.promo = torch.zeros(sites, aisles)

    def _hour(self, h):
        self.promo = 0.9 * self.promo + 0.1 * torch.randn(self.promo.shape, generator=self.gen)
        level = torch.sin(2 * math.pi * h / 24 + self.phase) + self.promo
        return level + 0.05 * torch.randn(level.shape, generator=self.gen)

    def hours(self, n):
        now = self._hour(0)
        for h in range(1, n + 1):
            nxt = self._hour(h)
            yield now, nxt
            now = nxt
