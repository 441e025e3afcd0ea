import torch
from torch import nn


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.SiLU(),
        nn.Conv2d(cout, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.SiLU(),
    )


class TinyUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.enc1, self.enc2 = block(1, width), block(width, 2 * width)
        self.mid = block(2 * width, 2 * width)
        self.dec2, self.dec1 = block(4 * width, width), block(2 * width, width)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        e1 = self.enc1(x)
        e2 = self.enc2(self.pool(e1))
        m = self.up(self.mid(self.pool(e2)))
        d2 = self.up(self.dec2(torch.cat([m, e2], 1)))
        return self.head(self.dec1(torch.cat([d2, e1], 1)))


def soft_dice(logits, mask, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    m = mask.flatten(1)
    return (2 * (p * m).sum(1) + eps) / (p.sum(1) + m.sum(1) + eps)
