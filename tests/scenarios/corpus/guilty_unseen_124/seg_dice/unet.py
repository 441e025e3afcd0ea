import torch
from torch import nn


class TinyUNet(nn.Module):
    def __init__(self, c=6):
        super().__init__()
        self.down = nn.Conv2d(1, c, 3, padding=1)
        self.deep = nn.Conv2d(c, c, 3, padding=1)
        self.up = nn.ConvTranspose2d(c, c, 2, 2)
        self.out = nn.Conv2d(2 * c, 1, 1)

    def forward(self, x):
        a = self.down(x).relu()
        b = self.deep(nn.functional.max_pool2d(a, 2)).relu()
        return self.out(torch.cat([a, self.up(b)], 1))
