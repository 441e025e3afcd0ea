import torch
from torch import nn
from torch.distributions import Normal


class GaussianActor(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(obs, 24), nn.Tanh(), nn.Linear(24, act))
        self.log_std = nn.Parameter(torch.full((act,), -0.5))

    def dist(self, obs):
        return Normal(self.mu(obs), self.log_std.exp())
