from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn


class EtaNet(nn.Module):
    def __init__(self, features: int = 18, width: int = 96) -> None:
        super().__init__()
        self.wide = nn.Linear(features, 1)
        self.deep = nn.Sequential(
            nn.Linear(features, width), nn.ReLU(), nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )

    def forward(self, trip: Tensor) -> Tensor:
        return (self.wide(trip) + self.deep(trip)).squeeze(-1)


def trip_source(size: int) -> Iterator[tuple[Tensor, Tensor]]:
    w = torch.randn(18)
    while True:
        trip = torch.randn(size, 18)
        yield trip, 20 + trip @ w + 4 * torch.relu(trip[:, 0] * trip[:, 1]) + 0.5 * torch.randn(size)
