import torch
from torch import nn


class Policy(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 1), nn.Tanh())


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, s, a):
        return self.f(torch.cat([s, a], -1)).squeeze(-1)
