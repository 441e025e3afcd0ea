import math

import torch


def drifting_stream(steps, dim, classes, batch, seed=3):
    gen = torch.Generator().manual_seed(seed)
    centers = torch.randn(classes, dim, generator=gen) * 1.5
    drift = torch.randn(classes, dim, generator=gen)
    for t in range(steps):
        y = torch.randint(classes, (batch,), generator=gen)
        moved = centers + math.sin(t / 80) * drift
        x = moved[y] + 0.6 * torch.randn(batch, dim, generator=gen)
        yield x, y
