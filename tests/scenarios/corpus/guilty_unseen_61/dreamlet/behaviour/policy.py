"""Reparameterised Gaussian policy on latent states."""
import torch
from torch import nn


class GaussianPolicy(nn.Module):
    def __init__(self, state_dim, act_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(state_dim, 24), nn.ELU(), nn.Linear(24, act_dim))
        self.log_std = nn.Parameter(torch.full((act_dim,), -1.0))

    def forward(self, state):
        mean = self.net(state)
        return torch.tanh(mean + torch.randn_like(mean) * self.log_std.exp())
