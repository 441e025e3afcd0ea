import torch
from torch import nn


class TagNet(nn.Module):
    def __init__(self, bands=20, width=32, tags=5):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(bands, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                                 nn.Linear(width, tags))

    def forward(self, x):
        return self.net(x)


class SiteStream:
    def __init__(self, sites, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.tags = torch.randn(5, 20, generator=self.gen)
        self.shift = 1.5 * torch.randn(sites, 20, generator=self.gen)

    def batch(self, site, n):
        y = torch.randint(0, 5, (n,), generator=self.gen)
        x = self.tags[y] + self.shift[site] + 0.7 * torch.randn(n, 20, generator=self.gen)
        return x, y
