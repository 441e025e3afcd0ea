import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, latent, out):
        super().__init__()
        self.latent = latent
        self.body = nn.Sequential(nn.Linear(latent, 24), nn.ReLU(), nn.Linear(24, out))

    def forward(self, n):
        return self.body(torch.randn(n, self.latent))


class Critic(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 24), nn.LeakyReLU(0.2), nn.Linear(24, 24),
                                  nn.LeakyReLU(0.2), nn.Linear(24, 1))

    def forward(self, x):
        return self.body(x).squeeze(1)
