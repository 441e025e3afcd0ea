import torch
from torch import nn


class StripEmbedding(nn.Module):
    """sin/cos features and their second derivative along the duct, by strip."""

    def __init__(self, features):
        super().__init__()
        self.freq = nn.Parameter(torch.linspace(0.5, 6.0, features).unsqueeze(0))
        self._memo = {}

    def forward(self, strip):
        if strip not in self._memo:
            self._memo[strip] = self._build(strip.grid())  # <- culprit
        return self._memo[strip]

    def _build(self, x):
        arg = x * self.freq
        f = torch.cat([torch.sin(arg), torch.cos(arg)], 1)
        f2 = -torch.cat([self.freq, self.freq], 1).pow(2) * f
        return f, f2


class DuctNet(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.embed = StripEmbedding(features)
        self.coef = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 2 * features))
        self.load = nn.Parameter(torch.ones(1, 1))

    def forward(self, strip):
        f, f2 = self.embed(strip)
        w = self.coef(self.load)
        return (f * w).sum(1), (f2 * w).sum(1)

    def ends(self):
        x = torch.tensor([[0.0], [1.0]])
        f, _ = self.embed._build(x)
        return (f * self.coef(self.load)).sum(1)
