import torch
from torch import nn

HOURS = 24


class Generator(nn.Module):
    def __init__(self, z_dim):
        super().__init__()
        self.z_dim = z_dim
        self.net = nn.Sequential(nn.Linear(z_dim, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(),
                                 nn.Linear(48, HOURS), nn.Softplus())

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(HOURS, 48), nn.LeakyReLU(0.2),
                                 nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)
