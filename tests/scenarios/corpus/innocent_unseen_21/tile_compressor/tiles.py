import math

import torch


def tile_stream(batch, size, seed):
    """Map-like tiles: smooth relief cut into contour levels."""
    gen = torch.Generator().manual_seed(seed)
    axis = torch.linspace(0, 1, size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    while True:
        tiles = []
        for _ in range(batch):
            fx, fy, ph, tilt = torch.rand(4, generator=gen).tolist()
            relief = torch.sin(2 * math.pi * (2 * fx * xx + 2 * fy * yy + ph)) + tilt * xx
            tiles.append((relief * 3).round() / 3)
        yield torch.stack(tiles).unsqueeze(1)
