import torch
from torch import nn
import torch.nn.functional as F


def conv_block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(2, cout), nn.SiLU())


class TinyUNet(nn.Module):
    def __init__(self, cin, cout, base):
        super().__init__()
        self.enc = conv_block(cin, base)
        self.down = conv_block(base, 2 * base)
        self.bottleneck = conv_block(2 * base, 2 * base)
        self.up = conv_block(3 * base, base)
        self.head = nn.Conv2d(base, cout, 1)

    def forward(self, x):
        e = self.enc(x)
        d = self.bottleneck(self.down(F.max_pool2d(e, 2)))
        u = self.up(torch.cat([F.interpolate(d, scale_factor=2), e], 1))
        return self.head(u)
