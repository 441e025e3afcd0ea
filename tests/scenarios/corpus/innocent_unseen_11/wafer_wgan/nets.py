import torch
from torch import nn


class WaferGenerator(nn.Module):
    def __init__(self, noise=12, channels=12):
        super().__init__()
        self.noise = noise
        self.seed = nn.Linear(noise, channels * 16)
        self.up = nn.Sequential(
            nn.ConvTranspose2d(channels, channels, 4, stride=2, padding=1), nn.ReLU(),
            nn.ConvTranspose2d(channels, 1, 4, stride=2, padding=1), nn.Sigmoid(),
        )

    def forward(self, z):
        return self.up(torch.relu(self.seed(z)).view(len(z), -1, 4, 4))

    def sample(self, n):
        return self(torch.randn(n, self.noise))


class WaferCritic(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, channels, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(channels, channels * 2, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Flatten(), nn.Linear(channels * 2 * 16, 1),
        )

    def forward(self, maps):
        return self.net(maps).squeeze(1)
