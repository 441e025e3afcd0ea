import math

import torch


def spirals(n):
    y = torch.randint(2, (n,))
    t = torch.rand(n) * 1.5 * math.pi + 0.5
    r = t / 4
    sign = 1.0 - 2.0 * y.float()
    x = torch.stack([sign * r * torch.cos(t), sign * r * torch.sin(t)], dim=1)
    return x + 0.03 * torch.randn(n, 2), y
