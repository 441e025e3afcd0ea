import math

import torch
from torch import nn


class DropBatch:
    def __init__(self, n):
        self.angles = torch.linspace(0, 2 * math.pi, 1441)[:-1]
        self.truth = 1 + 0.2 * torch.sin(torch.arange(1, n + 1)[:, None] * 0.3 + 2 * self.angles)

    def radius(self):
        return self.truth + 0.02 * torch.randn_like(self.truth)


class FourierShape(nn.Module):
    def __init__(self, drops, order):
        super().__init__()
        self.r0 = nn.Parameter(torch.ones(drops, 1) * 0.7)
        self.cos = nn.Parameter(torch.zeros(drops, order))
        self.sin = nn.Parameter(torch.zeros(drops, order))
        self.register_buffer("k", torch.arange(1, order + 1).float())

    def forward(self, ang):
        ph = self.k[:, None] * ang
        return self.r0 + self.cos @ ph.cos() + self.sin @ ph.sin()

    def roughness(self):
        return ((self.cos ** 2 + self.sin ** 2) * self.k ** 2).sum()
