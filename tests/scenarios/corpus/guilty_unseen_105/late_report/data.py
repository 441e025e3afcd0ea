import math

import torch


def patches(steps, batch, classes, size=12):
    xs = torch.arange(size).float()
    gy, gx = torch.meshgrid(xs, xs, indexing="ij")
    for _ in range(steps):
        y = torch.randint(0, classes, (batch,))
        angle = y.float() * math.pi / classes
        phase = 2 * math.pi * torch.rand(batch)
        wave = torch.sin(
            0.9 * (gx[None] * angle.cos()[:, None, None] + gy[None] * angle.sin()[:, None, None])
            + phase[:, None, None]
        )
        yield (wave + 0.5 * torch.randn(batch, size, size)).unsqueeze(1), y
