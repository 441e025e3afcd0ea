import torch
import torch.nn.functional as F
from torch import nn


class WrapConv(nn.Conv2d):
    """Convolution periodic in longitude, replicated at the poles."""

    def forward(self, x):
        x = F.pad(x, (1, 1, 0, 0), mode="circular")
        x = F.pad(x, (0, 0, 1, 1), mode="replicate")
        return super().forward(x)


class LatLonUNet(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.enter = WrapConv(1, channels, 3)
        self.down = WrapConv(channels, 2 * channels, 3)
        self.up = WrapConv(3 * channels, channels, 3)
        self.leave = nn.Conv2d(channels, 1, 1)

    def forward(self, x):
        a = F.silu(self.enter(x))
        b = F.silu(self.down(F.avg_pool2d(a, 2)))
        b = F.interpolate(b, scale_factor=2)
        return self.leave(F.silu(self.up(torch.cat([a, b], 1))))
