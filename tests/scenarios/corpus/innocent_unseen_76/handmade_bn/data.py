import math

import torch


def two_spirals(n, turns=1.5, noise=0.05):
    y = torch.randint(0, 2, (n,))
    t = torch.rand(n).sqrt() * turns * 2 * math.pi
    ang = t + math.pi * y
    x = torch.stack([t * ang.cos(), t * ang.sin()], 1) / (turns * math.pi)
    return x + noise * torch.randn(n, 2), y
