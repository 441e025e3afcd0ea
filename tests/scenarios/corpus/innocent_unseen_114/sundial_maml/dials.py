import math

import torch


class Dial:
    def __init__(self, number, latitude, tilt, decl, gen):
        self.number, self.latitude, self.tilt, self.decl, self.gen = number, latitude, tilt, decl, gen

    def readings(self, n):
        h = (torch.rand(n, generator=self.gen) - 0.5) * math.pi * 0.8
        angle = torch.atan(math.sin(self.latitude + self.tilt) * torch.tan(h)) + 0.2 * self.decl
        angle = angle + 0.01 * torch.randn(n, generator=self.gen)
        return torch.stack([h, h.sin(), h.cos()], 1), angle


class DialFamily:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.made = 0

    def draw(self, n):
        for _ in range(n):
            u = torch.rand(3, generator=self.gen).tolist()
            self.made += 1
            yield Dial(self.made, 0.4 + 0.6 * u[0], 0.2 * (u[1] - 0.5), u[2] - 0.5, self.gen)
