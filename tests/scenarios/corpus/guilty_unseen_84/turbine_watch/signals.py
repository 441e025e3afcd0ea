import math

import torch


def windows(n, batch=24, length=24, seed=1):
    gen = torch.Generator().manual_seed(seed)
    t = torch.arange(length) / length
    for i in range(n):
        speed = 2 + torch.rand(batch, 1, generator=gen)
        phase = 2 * math.pi * torch.rand(batch, 1, generator=gen)
        x = torch.sin(2 * math.pi * speed * t + phase) + 0.05 * torch.randn(batch, length, generator=gen)
        if i % 40 == 39:  # a chipped tooth every now and then
            x[:3, ::6] += 1.5
        yield x
