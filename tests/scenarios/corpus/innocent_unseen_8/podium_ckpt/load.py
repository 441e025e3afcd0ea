from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor, nn


class LoadNet(nn.Module):
    def __init__(self, past: int = 96, ahead: int = 24, width: int = 224) -> None:
        super().__init__()
        self.skip = nn.Linear(past, ahead)
        self.body = nn.Sequential(nn.Linear(past, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, ahead))

    def forward(self, x: Tensor) -> Tensor:
        return self.skip(x) + self.body(x)


def household_windows(size: int, past: int = 96, ahead: int = 24) -> Iterator[tuple[Tensor, Tensor]]:
    while True:
        t = torch.arange(past + ahead) + 24 * torch.rand(size, 1)
        daily = 1 + torch.sin(2 * math.pi * t / 24) + 0.4 * torch.sin(4 * math.pi * t / 24 + torch.rand(size, 1))
        load = daily * (0.5 + torch.rand(size, 1)) + 0.1 * torch.randn(size, past + ahead)
        yield load[:, :past], load[:, past:]
