# gradwatch-corpus: kind=memory-climb
# notice: 95
# holder: self._tiles | ortho._tiles
# first-bad: 1
"""Land-cover segmentation from rotated tiles of one big synthetic orthophoto."""
import math
import random
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Crop:
    row: int
    col: int
    angle: float


class Ortho:
    def __init__(self, side=256, tile=64):
        g = torch.Generator().manual_seed(50)
        low = torch.randn(1, 1, 12, 12, generator=g)
        relief = F.interpolate(low, size=(side, side), mode="bicubic", align_corners=False)
        self.cover = (relief[0, 0] > 0).long() + (relief[0, 0] > 0.8).long()
        self.bands = torch.cat([relief[0], relief[0] ** 2, torch.randn(2, side, side, generator=g)]) * 0.7
        self.side, self.tile = side, tile
        self._tiles = {}

    def read(self, crop):
        # warping is slow compared with the small net, so do it once per crop
        if crop not in self._tiles:
            self._tiles[crop] = self._warp(crop)  # <- culprit
        return self._tiles[crop]

    def _warp(self, crop):
        c, s = math.cos(crop.angle), math.sin(crop.angle)
        k = self.tile / self.side
        off_x, off_y = 2 * crop.col / self.side - 1 + k, 2 * crop.row / self.side - 1 + k
        theta = torch.tensor([[[k * c, -k * s, off_x], [k * s, k * c, off_y]]])
        grid = F.affine_grid(theta, (1, 1, self.tile, self.tile), align_corners=False)
        img = F.grid_sample(self.bands[None], grid, align_corners=False)[0]
        lab = F.grid_sample(self.cover[None, None].float(), grid, mode="nearest", align_corners=False)
        return img, lab[0, 0].long()


def crops(rng, ortho, n):
    top = ortho.side - ortho.tile
    return [Crop(rng.randrange(0, top, 8), rng.randrange(0, top, 8), rng.uniform(-math.pi, math.pi)) for _ in range(n)]


def main(steps=340, batch=8):
    torch.manual_seed(50)
    rng, ortho = random.Random(50), Ortho()
    net = nn.Sequential(nn.Conv2d(4, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 3, 3, padding=1))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for s in range(1, steps + 1):
        img, lab = (torch.stack(t) for t in zip(*(ortho.read(c) for c in crops(rng, ortho, batch))))
        ce = F.cross_entropy(net(img), lab)
        opt.zero_grad()
        ce.backward()
        opt.step()
        if s % 85 == 0:
            print(f"step {s} ce {ce.item():.4f}")


if __name__ == "__main__":
    main()
