import torch
from torch import nn


def blade_batch(n):
    wind = 4 + 10 * torch.rand(n, 1)
    pitch = 0.4 * torch.rand(n, 1)
    pos = torch.rand(n, 1)
    strain = (wind / 10) ** 2 * torch.cos(2 * pitch) * (1 - pos) ** 2
    x = torch.cat([wind / 10, pitch, pos, torch.randn(n, 3)], 1)
    return x, strain + 0.02 * torch.randn(n, 1)


class StrainNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(6, 24)
        self.hidden = nn.Linear(24, 24)
        self.out = nn.Linear(24, 1)

    def forward(self, x):
        h = nn.functional.silu(self.inp(x))
        return self.out(nn.functional.silu(self.hidden(h)))
