import torch
from torch import nn


class Trunk(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.first = nn.Conv2d(1, c, 3, padding=1)
        self.last = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.last(torch.relu(self.first(x))))


class MaskHead(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.out = nn.Conv2d(c, 1, 1)

    def forward(self, f):
        return self.out(f).squeeze(1)


class AgeHead(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.out = nn.Sequential(nn.Linear(c, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, f):
        return self.out(f.mean(dim=(2, 3))).squeeze(-1)


def scans(n, gen, size=16):
    age = torch.rand(n, generator=gen)
    r = 2.0 + 4.0 * age + 0.3 * torch.randn(n, generator=gen)
    g = torch.arange(size).float() - size / 2
    mask = (g[None, :, None] ** 2 + g[None, None, :] ** 2 < r[:, None, None] ** 2).float()
    return (mask + 0.5 * torch.randn(n, size, size, generator=gen)).unsqueeze(1), mask, age
