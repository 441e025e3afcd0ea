import math

import torch


def stream(n, batch=8, length=128):
    t = torch.arange(length) / 50.0
    for _ in range(n):
        hr = torch.rand(batch, 1, 1) * 1.2 + 0.8
        y = torch.sin(2 * math.pi * hr * t) + 0.3 * torch.sin(4 * math.pi * hr * t)
        yield y + torch.randn(batch, 1, 1) * t + 0.2 * torch.randn(batch, 1, length), y
