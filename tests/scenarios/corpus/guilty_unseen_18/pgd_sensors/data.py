import math

import torch


def stream(n, classes=4, batch=12, length=64, seed=0, clip_every=4):
    """Yields (waveform, label). Each `clip_every`-th recording session has a blown amplifier."""
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, length)
    for i in range(n):
        y = torch.randint(classes, (batch,), generator=g)
        phase = 2 * math.pi * torch.rand(batch, 1, generator=g)
        x = torch.sin(2 * math.pi * (3 + 4 * y[:, None]) * t + phase)
        x = x + 0.3 * torch.randn(batch, length, generator=g)
        if i % clip_every == clip_every - 1:
            x = 60.0 * torch.randn(batch, length, generator=g) + 80.0
        yield x[:, None], y
