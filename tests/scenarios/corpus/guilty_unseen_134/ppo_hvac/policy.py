import torch
from torch import nn
from torch.distributions import Independent, Normal


class SetpointPolicy(nn.Module):
    def __init__(self, obs, rooms):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(obs, 24), nn.Tanh(), nn.Linear(24, rooms))
        self.value = nn.Sequential(nn.Linear(obs, 24), nn.Tanh(), nn.Linear(24, 1))
        self.log_std = nn.Parameter(torch.full((rooms,), -0.7))

    def dist(self, obs):
        return Independent(Normal(self.mean(obs), self.log_std.exp()), 1)

    def v(self, obs):
        return self.value(obs).squeeze(-1)
