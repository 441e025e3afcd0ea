import torch
from torch import nn


class MiniUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.d1 = nn.Conv2d(1, c, 3, padding=1)
        self.d2 = nn.Conv2d(c, 2 * c, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.out = nn.Conv2d(2 * c, 2, 1)

    def forward(self, x):
        a = self.d1(x).relu()
        b = self.up(self.d2(a).relu()).relu()
        return self.out(torch.cat([a, b], 1))
