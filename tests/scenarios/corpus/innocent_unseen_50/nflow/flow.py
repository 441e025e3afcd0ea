import math

import torch
import torch.nn as nn


class Coup(nn.Module):
    def __init__(self, d, h, flip):
        super().__init__()
        self.flip = flip
        self.st = nn.Sequential(nn.Linear(d // 2, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, d))
        nn.init.zeros_(self.st[-1].weight)
        nn.init.zeros_(self.st[-1].bias)

    def split(self, x):
        a, b = x.chunk(2, 1)
        return (b, a) if self.flip else (a, b)

    def join(self, a, b):
        return torch.cat((b, a) if self.flip else (a, b), 1)

    def forward(self, x):
        a, b = self.split(x)
        s, t = self.st(a).chunk(2, 1)
        s = 1.5 * torch.tanh(s)
        return self.join(a, b * torch.exp(s) + t), s.sum(1)

    def inv(self, y):
        a, b = self.split(y)
        s, t = self.st(a).chunk(2, 1)
        return self.join(a, (b - t) * torch.exp(-1.5 * torch.tanh(s)))


class Flow(nn.Module):
    def __init__(self, d, h, L):
        super().__init__()
        self.d = d
        self.cs = nn.ModuleList(Coup(d, h, bool(i % 2)) for i in range(L))

    def forward(self, x):
        ld = x.new_zeros(len(x))
        for c in self.cs:
            x, l = c(x)
            ld = ld + l
        return x, ld

    def inv(self, z):
        for c in reversed(self.cs):
            z = c.inv(z)
        return z

    def nll(self, z, ld):
        return (0.5 * (z * z).sum(1) - ld).mean() + 0.5 * self.d * math.log(2 * math.pi)
