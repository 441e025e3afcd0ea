import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(2, o), nn.ReLU())


class LvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = block(1, 4)
        self.deep = nn.ModuleList([block(4, 4) for _ in range(3)])
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        a = self.inp(x)
        h = nn.functional.avg_pool2d(a, 2)
        for b in self.deep:
            h = h + checkpoint(b, h, use_reentrant=False)
        return self.out(torch.cat([a, nn.functional.interpolate(h, scale_factor=2)], 1))
