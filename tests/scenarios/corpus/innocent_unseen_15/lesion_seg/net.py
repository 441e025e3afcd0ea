import torch
from torch import nn
import torch.nn.functional as F


def unit(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1), nn.GroupNorm(4, o), nn.ReLU(inplace=True))


class SegNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.top = unit(1, width)
        self.down = unit(width, 2 * width, stride=2)
        self.mid = unit(2 * width, 2 * width)
        self.head = nn.Conv2d(3 * width, 1, 1)

    def forward(self, x):
        skip = self.top(x)
        deep = self.mid(self.down(skip))
        up = F.interpolate(deep, scale_factor=2.0)
        return self.head(torch.cat((skip, up), 1))
