import math

import torch


def windows(context, horizon, seed, bs=16, n=3000):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(n).float()
    y = torch.sin(2 * math.pi * t / 24) + 0.5 * torch.sin(2 * math.pi * t / 168) + 0.001 * t
    y = y + 0.1 * torch.randn(n, generator=g)
    while True:
        s = torch.randint(0, n - context - horizon, (bs,), generator=g)
        idx = s[:, None] + torch.arange(context + horizon)
        w = y[idx]
        yield w[:, :context], w[:, context:]
