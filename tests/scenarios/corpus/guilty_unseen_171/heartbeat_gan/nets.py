import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, z_dim=16, length=64):
        super().__init__()
        self.z_dim = z_dim
        self.start = nn.Linear(z_dim, 24 * (length // 4))
        self.up = nn.Sequential(
            nn.ReLU(), nn.Unflatten(1, (24, length // 4)),
            nn.ConvTranspose1d(24, 12, 4, stride=2, padding=1), nn.ReLU(),
            nn.ConvTranspose1d(12, 1, 4, stride=2, padding=1), nn.Flatten(1),
        )

    def forward(self, z):
        return self.up(self.start(z))

    def draw(self, n):
        return self(torch.randn(n, self.z_dim))


def critic(length=64):
    return nn.Sequential(
        nn.Unflatten(1, (1, length)),
        nn.Conv1d(1, 12, 5, stride=2, padding=2), nn.LeakyReLU(0.2),
        nn.Conv1d(12, 24, 5, stride=2, padding=2), nn.LeakyReLU(0.2),
        nn.Flatten(), nn.Linear(24 * (length // 4), 1),
    )
