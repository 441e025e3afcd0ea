import math

import torch


class CstrPlant:
    """First-order reaction chain A -> B -> C -> D in a row of well-mixed tanks."""

    def __init__(self, n_tanks, n_species, dilution=0.15):
        self.level = torch.zeros(n_tanks, n_species)
        self.rates = torch.linspace(0.3, 0.05, n_species)
        self.dilution = dilution
        self.clock = 0

    def feed_schedule(self):
        feed = torch.zeros_like(self.level)
        feed[:, 0] = 1.0 + 0.4 * math.sin(self.clock / 7.0)
        feed = feed + 0.02 * torch.randn_like(feed)
        self.clock += 1
        return feed

    def advance(self, feed):
        consumed = self.rates * self.level
        produced = torch.roll(consumed, 1, dims=1)
        produced[:, 0] = 0.0
        self.level = self.level + produced - consumed + self.dilution * (feed - self.level)
        return self.level + 0.005 * torch.randn_like(self.level)
