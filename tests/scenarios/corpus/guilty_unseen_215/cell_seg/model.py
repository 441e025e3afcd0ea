import torch
import torch.nn as nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class TinyUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.enc1, self.enc2 = block(1, c), block(c, 2 * c)
        self.mid = block(2 * c, 2 * c)
        self.dec2, self.dec1 = block(4 * c, c), block(2 * c, c)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.out = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        m = self.mid(self.pool(b))
        d = self.dec2(torch.cat([self.up(m), b], 1))
        d = self.dec1(torch.cat([self.up(d), a], 1))
        return self.out(d)
