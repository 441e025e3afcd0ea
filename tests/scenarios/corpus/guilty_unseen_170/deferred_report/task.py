import torch
import torch.nn as nn
import torch.nn.functional as F


class SegNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.down = nn.Conv2d(2, 12, 3, stride=2, padding=1)
        self.mid = nn.Conv2d(12, 12, 3, padding=1)
        self.up = nn.ConvTranspose2d(12, classes, 2, stride=2)

    def forward(self, x):
        h = F.relu(self.down(x))
        return self.up(h + F.relu(self.mid(h)))


def dice(logits, y):
    p = logits.softmax(1)
    t = F.one_hot(y, logits.shape[1]).permute(0, 3, 1, 2).float()
    inter = (p * t).sum((0, 2, 3))
    return 1 - (2 * inter / (p.sum((0, 2, 3)) + t.sum((0, 2, 3)))).mean()


def tiles(steps, seed=16):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        base = torch.randn(6, 2, 6, 6, generator=gen)
        x = F.interpolate(base, scale_factor=4, mode="bilinear", align_corners=False)
        y = (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long()
        yield x + 0.2 * torch.randn(x.shape, generator=gen), y
