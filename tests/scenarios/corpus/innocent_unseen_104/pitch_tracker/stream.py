import math
import torch


def voices(n, seed):
    """Endless stream of (frame features, log-f0) for n parallel voices."""
    g = torch.Generator().manual_seed(seed)
    f0 = 5.0 + 0.5 * torch.rand(n, 1, generator=g)
    drift = torch.zeros(n, 1)
    basis = torch.randn(1, 10, generator=g)
    t = 0
    while True:
        drift = 0.95 * drift + 0.02 * torch.randn(n, 1, generator=g)
        vib = 0.05 * math.sin(2 * math.pi * t / 25)
        target = f0 + drift + vib
        frame = torch.sin(4 * target * basis) + 0.4 * torch.randn(n, 10, generator=g)
        yield frame, target
        t += 1
