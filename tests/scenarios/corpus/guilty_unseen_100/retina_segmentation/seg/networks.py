import torch
from torch import nn


def double(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.ReLU(), nn.Conv2d(cout, cout, 3, padding=1), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.down = double(1, c)
        self.mid = double(c, 2 * c)
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.out = nn.Sequential(double(2 * c, c), nn.Conv2d(c, 1, 1))

    def forward(self, x):
        skip = self.down(x)
        deep = self.mid(nn.functional.max_pool2d(skip, 2))
        return self.out(torch.cat([skip, self.up(deep)], 1))
