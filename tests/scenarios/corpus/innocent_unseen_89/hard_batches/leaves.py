import torch
from torch import nn

CLASSES, CHANNELS, SIDE = 5, 3, 8
_prototypes = None


def prototypes():
    global _prototypes
    if _prototypes is None:
        _prototypes = torch.randn(CLASSES, CHANNELS, SIDE, SIDE) * 0.1
    return _prototypes


def draw(n, noise):
    y = torch.randint(0, CLASSES, (n,))
    return prototypes()[y] + noise * torch.randn(n, CHANNELS, SIDE, SIDE), y


class LeafNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(CHANNELS, 6, 3, padding=1)
        self.norm = nn.GroupNorm(2, 6)
        self.fc = nn.Linear(6 * 16, CLASSES)

    def forward(self, x):
        h = torch.relu(self.norm(self.conv(x)))
        h = nn.functional.avg_pool2d(h, 2)
        return self.fc(h.flatten(1))
