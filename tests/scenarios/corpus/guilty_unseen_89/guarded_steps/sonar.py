import torch
from torch import nn


class SonarStream:
    """Every fourth haul comes from a vessel whose scale is off."""

    def __init__(self, beams):
        self.w = torch.randn(beams, 1) * 0.4
        self.beams = beams

    def haul(self, index):
        x = torch.randn(24, self.beams)
        y = torch.tanh(x @ self.w) + 0.1 * torch.randn(24, 1)
        if index % 4 == 3:
            y = y + 4.0
        return x, y


def make_net(beams):
    return nn.Sequential(nn.Linear(beams, 20), nn.Tanh(), nn.Linear(20, 1))
