import torch
from torch import nn
from torch.distributions import Normal


class Policy(nn.Module):
    def __init__(self, d, h=24):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, d))
        self.v = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, 1))
        self.log_std = nn.Parameter(torch.full((d,), -0.5))

    def forward(self, s):
        return Normal(self.mu(s), self.log_std.exp()), self.v(s).squeeze(-1)
