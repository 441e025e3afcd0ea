import math

import torch


class Tones:
    def __init__(self, length, seed):
        self.t = torch.linspace(0, 2 * math.pi, length)
        self.rng = torch.Generator().manual_seed(seed)

    def sample(self, n):
        a = torch.rand(n, 1, generator=self.rng)
        shift = 2 * math.pi * torch.rand(n, 1, generator=self.rng)
        return 0.5 * (a * torch.sin(self.t + shift) + (1 - a) * torch.sin(3 * self.t + shift))
