import torch
from torch import nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self, width=6, n_classes=3):
        super().__init__()
        self.enc1 = block(3, width)
        self.enc2 = block(width, width * 2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.dec = block(width * 3, width)
        self.head = nn.Conv2d(width, n_classes, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(nn.functional.max_pool2d(a, 2))
        return self.head(self.dec(torch.cat([a, self.up(b)], 1)))
