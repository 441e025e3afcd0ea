import torch
from torch import nn


class CloudTrunk(nn.Module):
    """Shared features of a sky image sequence."""

    def __init__(self, wide=12):
        super().__init__()
        self.first = nn.Conv2d(2, wide, 3, padding=1)
        self.second = nn.Conv2d(wide, wide, 3, padding=1, stride=2)
        self.lift = nn.PReLU(wide)

    def forward(self, pair):
        return self.lift(self.second(torch.relu(self.first(pair))))


class MotionHead(nn.Sequential):
    def __init__(self, wide=12):
        super().__init__(nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(16 * wide, 24), nn.Tanh(), nn.Linear(24, 2))


class CoverHead(nn.Sequential):
    def __init__(self, wide=12):
        super().__init__(nn.Conv2d(wide, 8, 1), nn.ReLU(), nn.Conv2d(8, 1, 1))
