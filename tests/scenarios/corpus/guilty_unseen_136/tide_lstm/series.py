import math

import torch


def tide(hours):
    t = torch.arange(hours).float()
    m2 = torch.cos(2 * math.pi * t / 12.42)
    s2 = 0.45 * torch.cos(2 * math.pi * t / 12.0 + 0.7)
    k1 = 0.2 * torch.cos(2 * math.pi * t / 23.93 - 0.3)
    surge = torch.cumsum(0.02 * torch.randn(hours), 0)
    surge = surge - surge.mean()
    return m2 + s2 + k1 + surge


def chunks(h, size):
    for start in range(0, len(h) - size - 1, size):
        window = h[start:start + size + 1]
        yield window[:-1].view(1, size, 1), window[1:].view(1, size, 1)
