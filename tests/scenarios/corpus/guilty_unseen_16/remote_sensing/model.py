import torch
from torch import nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.SiLU())


class TinyUNet(nn.Module):
    def __init__(self, bands, classes, width=12):
        super().__init__()
        self.enc1 = block(bands, width)
        self.enc2 = block(width, 2 * width)
        self.mid = block(2 * width, 2 * width)
        self.dec = block(3 * width, width)
        self.head = nn.Conv2d(width, classes, 1)
        self.down = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x):
        a = self.enc1(x)
        b = self.mid(self.enc2(self.down(a)))
        return self.head(self.dec(torch.cat([a, self.up(b)], dim=1)))
