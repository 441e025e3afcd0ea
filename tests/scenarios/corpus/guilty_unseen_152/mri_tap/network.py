import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.norm = nn.GroupNorm(2, cout)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class SliceNet(nn.Module):
    """Two-level encoder-decoder for 24x24 undersampled slices."""

    def __init__(self, width=6):
        super().__init__()
        self.enc = Block(1, width)
        self.mid = Block(width, 2 * width)
        self.dec = Block(3 * width, width)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        top = self.enc(x)
        low = self.mid(nn.functional.avg_pool2d(top, 2))
        up = nn.functional.interpolate(low, scale_factor=2.0)
        return x + self.out(self.dec(torch.cat([top, up], 1)))
