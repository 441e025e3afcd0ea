import math

import torch


def windows(steps, batch=32, context=96, horizon=24):
    gen = torch.Generator().manual_seed(4)
    t = torch.arange(4000, dtype=torch.float32)
    load = torch.sin(2 * math.pi * t / 24) + 0.4 * torch.sin(2 * math.pi * t / 168)
    load = load + 0.1 * torch.randn(4000, generator=gen)
    for _ in range(steps):
        at = torch.randint(0, 4000 - context - horizon, (batch,), generator=gen)
        rows = torch.stack([load[a:a + context + horizon] for a in at.tolist()])
        yield rows[:, :context], rows[:, context:]
