from __future__ import annotations

import torch
from torch import Tensor, nn


class Encoder(nn.Module):
    def __init__(self, mels: int, embed: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(mels, 32), nn.ReLU(), nn.LayerNorm(32), nn.Linear(32, embed))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


class ScaledDistance(nn.Module):
    """Negative squared distance after a learned projection."""

    def __init__(self, embed: int) -> None:
        super().__init__()
        self.proj = nn.Linear(embed, embed, bias=False)
        self.log_scale = nn.Parameter(torch.zeros(()))

    def forward(self, z: Tensor, prototypes: Tensor) -> Tensor:
        d = torch.cdist(self.proj(z), self.proj(prototypes))
        return -self.log_scale.exp() * d.pow(2)
