import torch
from torch import nn
from torch.distributions import Categorical


class Actor(nn.Module):
    def __init__(self, n_obs):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 3))

    def forward(self, obs):
        return Categorical(logits=self.net(obs))


class Critic(nn.Module):
    def __init__(self, n_obs):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, obs):
        return self.net(obs).squeeze(-1)
