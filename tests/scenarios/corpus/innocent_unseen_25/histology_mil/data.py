import torch
from torch import nn


class SlideBag:
    """48 slides x 40 tiles; the cache stops growing when every slide has been seen once"""

    def __init__(self, n_slides, tiles):
        self.n, self.tiles = n_slides, tiles
        self.encoder = nn.Sequential(nn.Conv2d(3, 32, 4, 4), nn.ReLU(), nn.Conv2d(32, 128, 4, 4), nn.ReLU(), nn.Flatten()).eval()
        for p in self.encoder.parameters():
            p.requires_grad_(False)
        self.labels = torch.randint(0, 3, (n_slides,))
        self.cache = {}

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i % 17 == 16:
            raise ValueError(f"slide {i}: no tissue found")
        if i not in self.cache:
            g = torch.Generator().manual_seed(i)
            tiles = torch.rand(self.tiles, 3, 32, 32, generator=g) + 0.2 * self.labels[i]
            self.cache[i] = self.encoder(tiles)
        return self.cache[i], self.labels[i]
