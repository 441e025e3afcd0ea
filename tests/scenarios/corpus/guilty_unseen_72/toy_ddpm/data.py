import math

import torch


def two_moons(n, noise=0.07):
    a = torch.rand(n) * math.pi
    up = torch.stack([a.cos(), a.sin()], 1)
    down = torch.stack([1 - a.cos(), 0.5 - a.sin()], 1)
    pick = (torch.rand(n, 1) < 0.5).float()
    x = pick * up + (1 - pick) * down + noise * torch.randn(n, 2)
    return (x - x.mean(0)) / x.std(0)
