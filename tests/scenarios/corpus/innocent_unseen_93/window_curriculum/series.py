import math

import torch


def power_load(steps, meters, seed=4):
    g = torch.Generator().manual_seed(seed)
    phase = torch.rand(meters, generator=g) * 6.28
    slow = torch.zeros(meters)
    for t in range(steps):
        temp = torch.sin(2 * math.pi * t / 48 + phase)
        x = torch.stack([temp, temp.cos(), torch.randn(meters, generator=g),
                         torch.full((meters,), float(t % 48 < 24))], 1)
        slow = 0.93 * slow + 0.1 * x[:, 2] + 0.05 * x[:, 0]
        yield x, slow + 0.3 * x[:, 3]
