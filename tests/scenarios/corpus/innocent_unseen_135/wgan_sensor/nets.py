import torch
from torch import nn


class Synth(nn.Module):
    def __init__(self, z=6, length=24):
        super().__init__()
        self.z = z
        self.net = nn.Sequential(nn.Linear(z, 32), nn.LeakyReLU(0.2), nn.Linear(32, length), nn.Tanh())

    def forward(self, n):
        return self.net(torch.randn(n, self.z))


class Critic(nn.Module):
    def __init__(self, length=24):
        super().__init__()
        self.a, self.b = nn.Linear(length, 32), nn.Linear(32, 1)

    def forward(self, x):
        return self.b(nn.functional.softplus(self.a(x))).squeeze(-1)
