import torch
from torch import nn


class FrozenBackbone(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.requires_grad_(False)

    def forward(self, x):
        return self.net(x)


class SlipHead(nn.Module):
    """World-frame displacement over one tick, bounded."""

    def __init__(self, width, reach=0.2):
        super().__init__()
        self.out = nn.Linear(width, 2)
        self.reach = reach
        nn.init.zeros_(self.out.bias)

    def forward(self, feats):
        return self.reach * torch.tanh(self.out(feats))


class PoseIntegrator(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("pose", torch.zeros(n, 2))

    def forward(self, displacement):
        return self.pose + displacement

    def commit(self, pose):
        self.pose = pose  # <- culprit
        return pose
