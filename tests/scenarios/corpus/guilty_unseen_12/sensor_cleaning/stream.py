import math

import torch


class VibrationStream:
    """Sums of sines with noise; now and then a channel has an electrical spike."""

    def __init__(self, channels, length, batch_size, spike_every):
        self.shape = (batch_size, channels, 1)
        self.t = torch.linspace(0, 1, length)
        self.spike_every = spike_every

    def one(self, i):
        freq = 2 + 10 * torch.rand(self.shape)
        phase = 2 * math.pi * torch.rand(self.shape)
        clean = torch.sin(2 * math.pi * freq * self.t + phase)
        noisy = clean + 0.3 * torch.randn_like(clean)
        if i % self.spike_every == self.spike_every - 1:
            noisy[:, i % self.shape[1], 40:44] += 400.0
        return noisy, clean

    def batches(self, n):
        for i in range(n):
            yield self.one(i)
