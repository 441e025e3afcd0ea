import torch
from torch import nn
import torch.nn.functional as F


class TinyUNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.d1 = nn.Conv2d(1, c, 3, padding=1)
        self.d2 = nn.Conv2d(c, 2 * c, 3, padding=1)
        self.u1 = nn.Conv2d(3 * c, c, 3, padding=1)
        self.out = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = F.relu(self.d1(x))
        b = F.relu(self.d2(F.max_pool2d(a, 2)))
        b = F.interpolate(b, scale_factor=2)
        return self.out(F.relu(self.u1(torch.cat([a, b], 1))))


def soft_dice(logits, y, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * y).sum((1, 2, 3))
    return (1 - (2 * inter + eps) / (p.sum((1, 2, 3)) + y.sum((1, 2, 3)) + eps)).mean()
