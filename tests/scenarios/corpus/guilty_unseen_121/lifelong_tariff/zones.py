import torch
from torch import nn


class Zone:
    def __init__(self, ident):
        g = torch.Generator().manual_seed(1000 + ident)
        self.tilt = torch.randn(5, 1, generator=g)
        self.peak = 2 + torch.rand(1, generator=g)

    def draw(self, n):
        x = torch.randn(n, 5)
        y = torch.tanh(x @ self.tilt) * self.peak
        return x, y


class DemandNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(5, 16)
        self.gate = nn.Linear(5, 16)
        self.norm = nn.LayerNorm(16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(self.norm(self.inp(x) * torch.sigmoid(self.gate(x))))
