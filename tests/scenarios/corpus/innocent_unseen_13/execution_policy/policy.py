import torch
from torch import nn


class PolicyAndBaseline(nn.Module):
    def __init__(self, obs=4, hidden=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.fraction = nn.Linear(hidden, 1)
        self.value = nn.Linear(hidden, 1)

    def policy_parameters(self):
        yield from self.trunk.parameters()
        yield from self.fraction.parameters()

    def forward(self, obs):
        h = self.trunk(obs)
        return h, torch.sigmoid(self.fraction(h)).squeeze(1)
