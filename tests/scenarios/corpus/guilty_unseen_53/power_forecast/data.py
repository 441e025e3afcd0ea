import math

import torch


def windows(houses, length, n):
    """Yields (x, y) windows that follow each other in time."""
    total = n * length + 1
    t = torch.arange(total).float()
    phase = torch.rand(houses) * 2 * math.pi
    load = torch.sin(t[:, None] * 2 * math.pi / 24 + phase) + 0.1 * torch.randn(total, houses)
    hour = torch.cos(t * 2 * math.pi / 24)[:, None].expand(total, houses)
    feats = torch.stack([load, hour], -1)
    for i in range(n):
        a = i * length
        yield feats[a:a + length], load[a + 1:a + 1 + length].unsqueeze(-1)
