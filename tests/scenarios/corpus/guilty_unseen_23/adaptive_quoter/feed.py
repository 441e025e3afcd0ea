from __future__ import annotations

from typing import Iterator

import torch
from torch import Tensor

from .domain import QuoteWindow


class SyntheticFeed:
    """A slowly rotating linear relation between book features and the mid move."""

    def __init__(self, n_features: int, seed: int, rows: int = 64) -> None:
        self._gen = torch.Generator().manual_seed(seed)
        self._truth = torch.randn(n_features, generator=self._gen)
        self._rows = rows

    def _sample(self) -> tuple[Tensor, Tensor]:
        x = torch.randn(self._rows, self._truth.numel(), generator=self._gen)
        noise = torch.randn(self._rows, generator=self._gen)
        return x, x @ self._truth + 0.2 * noise

    def windows(self, count: int) -> Iterator[QuoteWindow]:
        for _ in range(count):
            self._truth = self._truth + 0.05 * torch.randn(self._truth.shape, generator=self._gen)
            yield QuoteWindow(*self._sample(), *self._sample())
