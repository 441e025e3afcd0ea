import torch
from torch import nn


class Furnace(nn.Module):
    def __init__(self):
        super().__init__()
        self.core = nn.Sequential(nn.Linear(7, 20), nn.Tanh(), nn.Linear(20, 2))

    def forward(self, mix):
        mean, raw = self.core(mix).unbind(-1)
        return mean, nn.functional.softplus(raw) + 0.05


def charges(n):
    w = torch.randn(7)
    for _ in range(n):
        mix = torch.rand(16, 7)
        yield mix, (mix @ w).sin() + 0.1 * torch.randn(16)
