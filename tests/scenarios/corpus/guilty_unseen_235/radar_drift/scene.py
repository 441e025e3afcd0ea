from typing import NamedTuple

import torch
from torch import Tensor

from config import RadarConfig


class Frame(NamedTuple):
    cells: Tensor
    velocity: Tensor


class RadarScene:
    """Range-doppler frames with a floor that drifts while the front end warms up."""

    def __init__(self, cfg: RadarConfig) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.floor = torch.zeros(cfg.n_range)

    def frame(self) -> Frame:
        cfg = self.cfg
        self.floor = self.floor + 0.02 * torch.randn(cfg.n_range, generator=self.gen)
        vel = torch.rand(cfg.batch, generator=self.gen) * 2 - 1
        doppler = torch.linspace(-1, 1, cfg.n_doppler)
        line = torch.exp(-((doppler - vel[:, None]) ** 2) / 0.05)
        rcs = torch.rand(cfg.batch, cfg.n_range, generator=self.gen)
        cells = rcs[:, :, None] * line[:, None, :] + self.floor[None, :, None]
        cells = cells + 0.05 * torch.randn(cells.shape, generator=self.gen)
        return Frame(cells, vel)
