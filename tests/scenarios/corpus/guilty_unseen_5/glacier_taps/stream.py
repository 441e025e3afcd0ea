import math

import torch
from torch.utils.data import IterableDataset


class WaveformStream(IterableDataset):
    """Endless: ice quakes are decaying chirps on top of ocean microseism."""

    def __init__(self, batch, length, seed=19):
        self.batch, self.length = batch, length
        self.rng = torch.Generator().manual_seed(seed)

    def __iter__(self):
        t = torch.linspace(0, 1, self.length)
        while True:
            onset = torch.rand(self.batch, 1, generator=self.rng) * 0.7
            pitch = 10 + 20 * torch.rand(self.batch, 1, generator=self.rng)
            after = (t - onset).clamp(min=0)
            quake = torch.sin(2 * math.pi * pitch * after) * torch.exp(-6 * after) * (after > 0)
            hum = 0.3 * torch.sin(2 * math.pi * 2.5 * t)
            yield (quake + hum + 0.1 * torch.randn(self.batch, self.length, generator=self.rng)).unsqueeze(1)
