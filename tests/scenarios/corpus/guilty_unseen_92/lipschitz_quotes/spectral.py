from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils import parametrize


class SpectralCap(nn.Module):
    """Scale a weight so that its largest singular value stays under ``cap``."""

    u: Tensor
    v: Tensor

    def __init__(self, weight: Tensor, cap: float, eps: float = 1e-8) -> None:
        super().__init__()
        rows, cols = weight.shape
        self.cap, self.eps = cap, eps
        self.register_buffer("u", F.normalize(torch.randn(rows), dim=0))
        self.register_buffer("v", F.normalize(torch.randn(cols), dim=0))

    @torch.no_grad()
    def _power_iteration(self, weight: Tensor) -> None:
        F.normalize(weight.t() @ self.u, dim=0, eps=self.eps, out=self.v)  # <- culprit
        F.normalize(weight @ self.v, dim=0, eps=self.eps, out=self.u)  # <- culprit

    def forward(self, weight: Tensor) -> Tensor:
        if self.training:
            self._power_iteration(weight)  # <- culprit
        sigma = torch.dot(self.u, weight @ self.v)  # <- culprit
        return weight * (self.cap / sigma.clamp(min=self.cap))


def capped(layer: nn.Linear, cap: float) -> nn.Linear:
    parametrize.register_parametrization(layer, "weight", SpectralCap(layer.weight, cap))
    return layer
