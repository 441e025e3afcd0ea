import torch
import torch.nn.functional as F
from torch import nn


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(2, o), nn.ReLU())


class SmallUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.d1, self.d2, self.mid = conv(1, c), conv(c, 2 * c), conv(2 * c, 2 * c)
        self.u1 = conv(4 * c, c)
        self.out = nn.Conv2d(2 * c, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        m = F.interpolate(self.mid(F.max_pool2d(b, 2)), scale_factor=2)
        u = F.interpolate(self.u1(torch.cat([b, m], 1)), scale_factor=2)
        return self.out(torch.cat([a, u], 1))
