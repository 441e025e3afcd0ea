import torch
import torch.nn as nn
import torch.nn.functional as F


def block(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU())


class UNet(nn.Module):
    """Puts out the mask, and a coarse one for deep supervision."""

    def __init__(self, width=6):
        super().__init__()
        self.down1, self.down2 = block(1, width), block(width, 2 * width)
        self.up = block(3 * width, width)
        self.coarse, self.fine = nn.Conv2d(2 * width, 1, 1), nn.Conv2d(width, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        up = F.interpolate(b, scale_factor=2)
        return {"fine": self.fine(self.up(torch.cat([a, up], 1))), "coarse": self.coarse(b)}
