import math

import torch


def tone_batch(batch, length, sr=8000):
    t = torch.arange(length) / sr
    f0 = 80 + 400 * torch.rand(batch, 1)
    wav = sum(torch.rand(batch, 1) / k * torch.sin(2 * math.pi * k * f0 * t) for k in (1, 2, 3))
    wav = wav + 0.02 * torch.randn(batch, length)
    return (wav / wav.abs().amax(1, keepdim=True)).unsqueeze(1)
