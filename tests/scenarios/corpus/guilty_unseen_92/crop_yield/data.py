from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class FieldBatch(NamedTuple):
    x: Tensor
    yields: Tensor
    moisture: Tensor


class FieldSampler:
    """Endless plots; moisture probes break now and then."""

    def __init__(self, features: int, batch: int, broken: float = 0.03) -> None:
        self.features, self.batch, self.broken = features, batch, broken
        self._wy = torch.randn(features) / features ** 0.5
        self._wm = torch.randn(features) / features ** 0.5

    def __iter__(self) -> "FieldSampler":
        return self

    def __next__(self) -> FieldBatch:
        x = torch.randn(self.batch, self.features)
        moisture = torch.tanh(x @ self._wm)
        moisture = torch.where(torch.rand(self.batch) < self.broken, torch.tensor(9.0), moisture)
        return FieldBatch(x, (x @ self._wy).sin(), moisture)
