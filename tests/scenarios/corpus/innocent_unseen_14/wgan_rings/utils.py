import math
import random
from contextlib import contextmanager

import torch

random.seed(77)


class RingData:
    def __init__(self, radii, noise=0.05):
        self.radii = torch.tensor(radii)
        self.noise = noise

    def sample(self, n):
        r = self.radii[torch.randint(len(self.radii), (n,))]
        phi = 2 * math.pi * torch.rand(n)
        xy = torch.stack([r * phi.cos(), r * phi.sin()], dim=1)
        return xy + self.noise * torch.randn_like(xy)


class FakePool:
    """a ring buffer of points; a quarter of what it hands out is old"""

    def __init__(self, size):
        self.size = size
        self.points = []

    def mix(self, fresh):
        out = []
        for p in fresh:
            if len(self.points) < self.size:
                self.points.append(p.clone())
                out.append(p)
            elif random.random() < 0.25:
                i = random.randrange(self.size)
                out.append(self.points[i])
                self.points[i] = p.clone()
            else:
                out.append(p)
        return torch.stack(out)


@contextmanager
def freeze(net):
    for p in net.parameters():
        p.requires_grad_(False)
    try:
        yield net
    finally:
        for p in net.parameters():
            p.requires_grad_(True)
