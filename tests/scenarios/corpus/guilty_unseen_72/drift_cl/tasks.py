import math

import torch


class RotatedBlobs:
    def __init__(self, angle, seed=0, classes=4, n=400):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, classes, (n,), generator=g)
        phi = 2 * math.pi * self.y / classes + math.radians(angle)
        centers = torch.stack([phi.cos(), phi.sin()], 1) * 2
        self.x = centers + 0.4 * torch.randn(n, 2, generator=g)

    def batch(self, size):
        idx = torch.randint(0, len(self.y), (size,))
        return self.x[idx], self.y[idx]
