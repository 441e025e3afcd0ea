import math

import torch


def two_rings(n, noise=0.12):
    y = torch.randint(0, 2, (n,))
    ang = torch.rand(n) * 2 * math.pi
    rad = 0.6 + 0.7 * y + noise * torch.randn(n)
    return torch.stack([rad * ang.cos(), rad * ang.sin()], 1), y


def minibatches(x, y, size):
    while True:
        order = torch.randperm(len(x))
        for s in range(0, len(x) - size + 1, size):
            pick = order[s:s + size]
            yield x[pick], y[pick]
