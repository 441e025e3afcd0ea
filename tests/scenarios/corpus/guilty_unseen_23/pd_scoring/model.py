from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn


class ScoreCard(nn.Module):
    def __init__(self, n_numeric: int, n_sectors: int, width: int = 96) -> None:
        super().__init__()
        self.sector = nn.Embedding(n_sectors, 8)
        self.body = nn.Sequential(
            nn.Linear(n_numeric + 8, width), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, numeric: Tensor, sector: Tensor) -> Tensor:
        return self.body(torch.cat([numeric, self.sector(sector)], dim=-1)).squeeze(-1)


@dataclass(eq=False)
class ExposureReport:
    """What the desk sees of one batch: expected loss against the limit."""

    logits: Tensor
    balance: Tensor
    limit: float = 560.0

    @cached_property
    def probability(self) -> Tensor:
        return torch.sigmoid(self.logits)

    @property
    def expected_loss(self) -> float:
        return (self.probability * self.balance).sum().item()

    @property
    def breached(self) -> bool:
        return self.expected_loss > self.limit
