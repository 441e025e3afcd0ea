import torch
from torch import nn


class FundusNet(nn.Module):
    def __init__(self, width=8, grades=3):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.GroupNorm(2, width), nn.ReLU())
        self.down = nn.Sequential(nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.seg = nn.Conv2d(2 * width, 1, 1)
        self.cls = nn.Linear(2 * width, grades)

    def forward(self, x):
        a = self.stem(x)
        b = self.down(a)
        seg = self.seg(torch.cat([a, self.up(b)], dim=1))
        return seg, self.cls(b.mean((2, 3)))
