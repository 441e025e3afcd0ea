import torch
from torch import nn


class Foley(nn.Module):
    """Noise to short impact sounds."""

    def __init__(self, noise=8, length=64):
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(nn.Linear(noise, 48), nn.LeakyReLU(0.2), nn.Linear(48, length), nn.Tanh())

    def forward(self, n):
        return self.net(torch.randn(n, self.noise))


class Critic(nn.Module):
    def __init__(self, length=64):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(length, 48), nn.LeakyReLU(0.2), nn.Linear(48, 24), nn.LeakyReLU(0.2))
        self.score = nn.Linear(24, 1)

    def forward(self, x):
        f = self.features(x)
        return self.score(f).squeeze(-1), f
