import math

import torch


class ClickStream:
    n_obs = 3

    def __init__(self, whales, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(whales, generator=self.gen) * 2 * math.pi
        self.rate = 0.1 + 0.1 * torch.rand(whales, generator=self.gen)

    def _interval(self):
        return 0.6 + 0.3 * torch.sin(self.phase)

    def __iter__(self):
        return self

    def __next__(self):
        now = self._interval()
        noisy = now + 0.05 * torch.randn(len(now), generator=self.gen)
        level = torch.randn(len(now), generator=self.gen)
        self.phase = self.phase + self.rate
        return torch.stack([noisy, level, noisy * level], 1), self._interval()
