import math

import torch


def tape_batches(n, batch, length):
    t = torch.arange(length) / 8000.0
    for _ in range(n):
        f = torch.rand(batch, 1, 1) * 600 + 100
        clean = 0.6 * torch.sin(2 * math.pi * f * t)
        hiss = 0.1 * torch.randn(batch, 1, length)
        yield clean + hiss, clean
