# [cells 5-6] network
import torch
from torch import nn


class BandLevel(nn.Module):
    """Learned per-band brightness reference, followed with some inertia so that
    one bright scene does not shift the whole radiometry."""

    def __init__(self, bands, inertia=0.9):
        super().__init__()
        self.reference = nn.Parameter(torch.full((bands,), 0.2))
        self.inertia = inertia
        self.smooth = None

    def forward(self, x):
        if self.training:
            self.follow()
        level = self.reference if self.smooth is None else self.smooth
        return x - level.view(1, -1, 1, 1)

    def follow(self):
        previous = self.smooth
        if previous is None:
            previous = self.reference.detach().clone()
        self.smooth = torch.lerp(previous, self.reference, 1.0 - self.inertia)  # <- culprit

    def report(self):
        return self.smooth.tolist()


class CloudNet(nn.Module):
    def __init__(self, bands, width=8):
        super().__init__()
        self.level = BandLevel(bands)
        self.stem = nn.Conv2d(bands, width, 3, padding=1)
        self.mid = nn.Conv2d(width, width, 3, padding=2, dilation=2)
        self.norm = nn.GroupNorm(2, width)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        h = torch.relu(self.stem(self.level(x)))
        h = h + torch.relu(self.norm(self.mid(h)))
        return self.head(h)
