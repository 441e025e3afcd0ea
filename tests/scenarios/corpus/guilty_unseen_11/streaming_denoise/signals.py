import math

import torch


class NoisyTones:
    """Endless blocks of slowly gliding tones with white noise, as overlapping tap frames."""

    def __init__(self, channels, block, taps, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.block, self.taps = block, taps
        self.freq = 0.02 + 0.08 * torch.rand(channels, generator=self.gen)
        self.tail = torch.zeros(taps - 1, channels)
        self.now = 0

    def __iter__(self):
        while True:
            t = torch.arange(self.now, self.now + self.block)[:, None]
            glide = 1 + 0.1 * torch.sin(t / 500.0)
            clean = torch.sin(2 * math.pi * self.freq * t * glide)
            noisy = clean + 0.5 * torch.randn(clean.shape, generator=self.gen)
            signal = torch.cat([self.tail, noisy])
            self.tail = signal[-(self.taps - 1):]
            self.now += self.block
            yield signal.unfold(0, self.taps, 1), clean
