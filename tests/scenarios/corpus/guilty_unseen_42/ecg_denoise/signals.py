import math

import torch


def ecg_batch(n, length, gen):
    t = torch.linspace(0, 1, length).expand(n, 1, length)
    rate = 3 + 2 * torch.rand(n, 1, 1, generator=gen)
    phase = 2 * math.pi * torch.rand(n, 1, 1, generator=gen)
    beat = torch.cos(2 * math.pi * rate * t + phase)
    clean = torch.exp(8 * (beat - 1)) + 0.1 * beat
    return clean + 0.2 * torch.randn(n, 1, length, generator=gen), clean
