from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn


class SensorAE(nn.Module):
    def __init__(self, sensors: int, width: int = 384, code: int = 12) -> None:
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(sensors, width), nn.SiLU(), nn.Linear(width, 128), nn.SiLU(), nn.Linear(128, code))
        self.dec = nn.Sequential(nn.Linear(code, 128), nn.SiLU(), nn.Linear(128, width), nn.SiLU(), nn.Linear(width, sensors))

    def forward(self, x: Tensor) -> Tensor:
        return self.dec(self.enc(x))


def sensor_batches(sensors: int, size: int, rank: int = 8) -> Iterator[Tensor]:
    loading = torch.randn(rank, sensors)
    while True:
        burst = 8.0 if float(torch.rand(())) < 0.02 else 0.1
        yield torch.tanh(torch.randn(size, rank) @ loading / rank ** 0.5) + burst * torch.randn(size, sensors)
