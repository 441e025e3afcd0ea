import math

import torch
import torch.nn as nn


def mlp(i, h, o, act):
    return nn.Sequential(nn.Linear(i, h), act(), nn.Linear(h, h), act(), nn.Linear(h, o))


class Generator(nn.Module):
    def __init__(self, z_dim=8, hidden=48):
        super().__init__()
        self.z_dim = z_dim
        self.net = mlp(z_dim, hidden, 2, nn.ReLU)

    def forward(self, n):
        return self.net(torch.randn(n, self.z_dim))


class Critic(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.net = mlp(2, hidden, 1, lambda: nn.LeakyReLU(0.2))

    def forward(self, x):
        return self.net(x).squeeze(1)


def ring(n, modes=8):
    k = torch.randint(0, modes, (n,)).float() * (2 * math.pi / modes)
    return 2 * torch.stack([k.cos(), k.sin()], 1) + 0.05 * torch.randn(n, 2)
