import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, z_dim=8, hours=24, width=32):
        super().__init__()
        self.z_dim = z_dim
        self.net = nn.Sequential(nn.Linear(z_dim, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, hours), nn.Softplus())

    def forward(self, z):
        return self.net(z)

    def sample(self, n):
        return self(torch.randn(n, self.z_dim))


class Critic(nn.Module):
    def __init__(self, hours=24, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(hours, width), nn.LeakyReLU(0.2),
                                 nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def load_profiles(n):
    h = torch.arange(24).float()
    peak = torch.tensor([8.0, 19.0])[torch.randint(0, 2, (n,))][:, None] + torch.randn(n, 1)
    base = 0.3 + 0.2 * torch.rand(n, 1)
    return base + torch.exp(-((h - peak) / 2.5) ** 2) + 0.03 * torch.rand(n, 24)
