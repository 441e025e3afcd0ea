import math

import torch


def moon(n):
    t = torch.rand(n) * math.pi
    return torch.stack([t.cos(), t.sin()], 1) + 0.05 * torch.randn(n, 2)


def ring(n):
    t = torch.rand(n) * 2 * math.pi
    r = 1.6 + 0.1 * torch.randn(n)
    return torch.stack([r * t.cos() + 0.5, r * t.sin()], 1)
