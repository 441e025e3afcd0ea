import math

import torch


class SensorStream:
    """Endless multichannel sine mixture, handed out in consecutive chunks."""

    def __init__(self, batch, channels, chunk, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.freq = torch.rand(batch, 1, channels, generator=g) * 0.3 + 0.05
        self.phase = torch.rand(batch, 1, channels, generator=g) * 2 * math.pi
        self.g = g
        self.chunk = chunk
        self.t = 0

    def __iter__(self):
        return self

    def __next__(self):
        t = torch.arange(self.t, self.t + self.chunk + 1).view(1, -1, 1).float()
        clean = torch.sin(self.freq * t + self.phase)
        noisy = clean + 0.05 * torch.randn(clean.shape, generator=self.g)
        self.t += self.chunk
        return noisy[:, :-1], noisy[:, 1:]
