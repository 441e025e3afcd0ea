import math

import torch

BUCKETS = (0.1, 0.3, 0.6, 1.0)
LENGTH = 160


def synth_batch(noise, size, gen):
    t = torch.arange(LENGTH, dtype=torch.float32)
    onset = torch.randint(20, LENGTH - 40, (size,), generator=gen)
    freq = 0.05 + 0.1 * torch.rand(size, 1, generator=gen)
    lag = t[None] - onset[:, None]
    wave = torch.where(lag >= 0, torch.sin(2 * math.pi * freq * lag) * torch.exp(-lag.clamp(min=0) / 30), 0.0)
    gains = 0.5 + torch.rand(size, 3, 1, generator=gen)
    wave = gains * wave[:, None]
    return wave + noise * torch.randn(wave.shape, generator=gen), onset
