import math

import torch


class CosinePopulation:
    """Poisson units with cosine tuning to the direction of reach."""

    def __init__(self, units, bins, directions, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.bins, self.directions = bins, directions
        self.preferred = 2 * math.pi * torch.rand(units, generator=self.gen)
        self.depth = 0.2 + 0.3 * torch.rand(units, generator=self.gen)

    def trials(self, n):
        label = torch.randint(self.directions, (n,), generator=self.gen)
        angle = 2 * math.pi * label / self.directions
        rate = 0.05 + self.depth * (1 + torch.cos(angle[:, None] - self.preferred)) / 2
        spikes = torch.rand(n, self.bins, rate.shape[1], generator=self.gen) < rate[:, None]
        return spikes.float(), label
