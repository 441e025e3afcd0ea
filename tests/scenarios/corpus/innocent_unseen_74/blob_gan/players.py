import torch
import torch.nn as nn


class Artist(nn.Module):
    def __init__(self, noise):
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(nn.Linear(noise, 32), nn.ReLU(), nn.Linear(32, 36), nn.Sigmoid())

    def forward(self, n):
        return self.net(torch.randn(n, self.noise))


class Judge(nn.Module):
    """Also returns its features, which the artist has to match."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(36, 32), nn.LeakyReLU(0.2))
        self.head = nn.Linear(32, 1)
        self.last_features = None

    def forward(self, x):
        self.last_features = self.features(x)
        return self.head(self.last_features)
