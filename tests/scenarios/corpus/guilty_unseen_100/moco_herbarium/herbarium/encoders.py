import copy

import torch
from torch import nn
from torch.nn import functional as F


class Projector(nn.Sequential):
    def __init__(self, n_pix, dim):
        super().__init__(nn.Linear(n_pix, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        return F.normalize(super().forward(x), dim=-1)


def momentum_twin(net):
    twin = copy.deepcopy(net)
    return twin.requires_grad_(False)


@torch.no_grad()
def drag(twin, net, m):
    for a, b in zip(twin.parameters(), net.parameters()):
        a.lerp_(b, 1 - m)
