import torch
from torch import nn


class FinNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.freq = nn.Parameter(torch.linspace(0.3, 3, width // 2)[None])
        self.mix = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self._memo = {}

    def features(self, x):
        key = id(x)
        if key not in self._memo:
            self._memo[key] = x, torch.cat([torch.sin(x * self.freq), torch.cos(x * self.freq)], 1)
        return self._memo[key][1]

    def forget(self):
        self._memo.clear()

    def forward(self, x):
        return self.mix(self.features(x))
