import math

import torch


class Sweep:
    """Targets on slowly precessing ellipses; range and bearing with noise, some plots missing."""

    def __init__(self, targets, scans, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = 2 * math.pi * torch.rand(targets, generator=self.gen)
        self.rate = 0.05 + 0.1 * torch.rand(targets, generator=self.gen)
        self.axis = 1 + torch.rand(targets, 2, generator=self.gen)
        self.scans = scans

    def __iter__(self):
        for k in range(self.scans):
            a = self.phase + self.rate * k
            pos = self.axis * torch.stack([a.cos(), a.sin()], -1)
            ahead = self.axis * torch.stack([(a + self.rate).cos(), (a + self.rate).sin()], -1)
            seen = (torch.rand(len(a), 1, generator=self.gen) > 0.1).float()
            noisy = pos + 0.05 * torch.randn(pos.shape, generator=self.gen)
            yield torch.cat([noisy * seen, seen, torch.ones_like(seen)], -1), ahead
