import copy

import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, z=8, bins=40, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(z, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                                 nn.Linear(width, bins), nn.Softplus())

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self, bins=40, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(bins, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, 1))

    def forward(self, s):
        return self.net(s).squeeze(-1)


def ema_copy(module):
    twin = copy.deepcopy(module)
    for p in twin.parameters():
        p.requires_grad_(False)
    return twin


def ema_update(twin, module, decay):
    for slow, fast in zip(twin.parameters(), module.parameters()):
        slow.lerp_(fast.detach(), 1 - decay)
