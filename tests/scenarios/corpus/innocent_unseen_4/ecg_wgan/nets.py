import torch
from torch import nn


class Synth(nn.Module):
    def __init__(self, z=8, n=64):
        super().__init__()
        self.z = z
        self.net = nn.Sequential(nn.Linear(z, 64), nn.LeakyReLU(0.2), nn.Linear(64, n))

    def forward(self, k):
        return self.net(torch.randn(k, self.z))


class Critic(nn.Module):
    def __init__(self, n=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def beats(k, n=64):
    t = torch.linspace(0, 1, n)
    c = 0.4 + 0.2 * torch.rand(k, 1)
    return torch.exp(-((t - c) / 0.03) ** 2) + 0.3 * torch.exp(-((t - c - 0.2) / 0.07) ** 2) + 0.02 * torch.randn(k, n)
