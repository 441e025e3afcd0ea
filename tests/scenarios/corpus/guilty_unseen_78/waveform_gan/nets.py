import torch
from torch import nn


class Synth(nn.Module):
    def __init__(self, latent: int, samples: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, samples), nn.Tanh())

    def forward(self, z):
        return self.body(z)


class Critic(nn.Module):
    def __init__(self, samples: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(samples, 32), nn.LeakyReLU(0.2), nn.Linear(32, 16), nn.LeakyReLU(0.2))
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        feat = self.trunk(x)
        return self.head(feat).squeeze(-1), feat


def waves(n: int, samples: int) -> torch.Tensor:
    t = torch.linspace(0, 1, samples)
    freq = 1 + 3 * torch.rand(n, 1)
    phase = 6.283 * torch.rand(n, 1)
    return 0.8 * torch.sin(6.283 * freq * t + phase)
