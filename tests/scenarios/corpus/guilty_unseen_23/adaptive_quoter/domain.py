from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NewType

from torch import Tensor

DeskId = NewType("DeskId", str)


@dataclass(frozen=True)
class QuoteWindow:
    fit_x: Tensor
    fit_y: Tensor
    check_x: Tensor
    check_y: Tensor


@dataclass(frozen=True)
class WeightSnapshot:
    weights: Tensor
    version: int = 0

    def quote(self, features: Tensor) -> Tensor:
        return features @ self.weights

    def stepped(self, direction: Tensor, size: Tensor) -> WeightSnapshot:
        return replace(self, weights=self.weights - size * direction, version=self.version + 1)
