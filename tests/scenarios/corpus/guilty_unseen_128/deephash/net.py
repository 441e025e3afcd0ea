import math

import torch
from torch import nn


class Binarise(nn.Module):
    """tanh relaxation of the sign function; the limit of infinite sharpness is the sign itself."""

    def __init__(self):
        super().__init__()
        self.sharpness = 1.0

    def forward(self, z):
        if math.isinf(self.sharpness):
            bits = z >= 0  # <- culprit
            return bits.to(z.dtype).mul(2).sub(1)
        return torch.tanh(self.sharpness * z)


class HashNet(nn.Module):
    def __init__(self, d_in, bits):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, bits))
        self.binarise = Binarise()

    def forward(self, x):
        return self.binarise(self.trunk(x))
