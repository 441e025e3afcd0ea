import math

import torch


class SensorStream:
    """Readings whose calibration drifts slowly with temperature."""

    def __init__(self, channels, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.gain = torch.randn(channels, generator=self.gen)
        self.tick = 0

    def batch(self, n):
        x = torch.randn(n, self.gain.numel(), generator=self.gen)
        temp = math.sin(self.tick / 60)
        clean = torch.tanh(x @ self.gain * (1 + 0.2 * temp))
        return x, clean + 0.05 * torch.randn(n, generator=self.gen)

    def pair(self, n):
        self.tick += 1
        return self.batch(n), self.batch(n)
