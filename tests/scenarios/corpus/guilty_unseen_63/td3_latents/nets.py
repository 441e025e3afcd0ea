import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, obs_dim, latent):
        super().__init__()
        self.fc = nn.Linear(obs_dim, latent)
        self.norm = nn.LayerNorm(latent)

    def forward(self, obs):
        return torch.tanh(self.norm(self.fc(obs)))


class Policy(nn.Module):
    def __init__(self, latent, act_dim, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent, width), nn.ReLU(), nn.Linear(width, act_dim))

    def forward(self, z):
        return torch.tanh(self.net(z))


class Critic(nn.Module):
    """Twin Q heads."""

    def __init__(self, latent, act_dim, width=32):
        super().__init__()
        def head():
            return nn.Sequential(nn.Linear(latent + act_dim, width), nn.ReLU(), nn.Linear(width, 1))
        self.q1 = head()
        self.q2 = head()

    def forward(self, z, a):
        za = torch.cat([z, a], dim=-1)
        return self.q1(za).squeeze(-1), self.q2(za).squeeze(-1)
