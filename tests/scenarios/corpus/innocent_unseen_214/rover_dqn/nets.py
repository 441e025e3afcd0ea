import copy

import torch
from torch import nn


class Dueling(nn.Module):
    def __init__(self, d_obs=4, n_act=5, h=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_obs, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.v, self.a = nn.Linear(h, 1), nn.Linear(h, n_act)

    def forward(self, x):
        z = self.trunk(x)
        a = self.a(z)
        return self.v(z) + a - a.mean(-1, keepdim=True)


def frozen_copy(net):
    return copy.deepcopy(net).requires_grad_(False)


@torch.no_grad()
def polyak(target, net, tau):
    for t, p in zip(target.parameters(), net.parameters()):
        t.mul_(1 - tau).add_(tau * p)
