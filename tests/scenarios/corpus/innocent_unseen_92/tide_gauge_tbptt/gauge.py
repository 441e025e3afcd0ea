from __future__ import annotations

import math

import torch
from torch import Tensor


class TideGauge:
    """Two harmonics with sensor noise; read() gives (features now, level next)."""

    def __init__(self, batch: int, noise: float = 0.03) -> None:
        self.phase = torch.rand(batch) * 2 * math.pi
        self.noise = noise
        self.t = 0

    def _level(self, t: int) -> Tensor:
        return torch.sin(0.2 * t + self.phase) + 0.3 * math.sin(0.41 * t)

    def read(self) -> tuple[Tensor, Tensor]:
        now = self._level(self.t) + self.noise * torch.randn_like(self.phase)
        x = torch.stack([now, torch.full_like(now, math.sin(0.2 * self.t))], -1)
        self.t += 1
        return x, self._level(self.t)
