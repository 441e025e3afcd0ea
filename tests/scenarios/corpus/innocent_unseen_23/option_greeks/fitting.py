from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from .market import Contracts
from .surrogate import PriceSurrogate


@dataclass(frozen=True)
class FitReport:
    price_error: float
    delta_error: float
    pde_error: float
    cosine: float


class SurrogateFitter:
    """Fits prices and sensitivities; where their gradients disagree the sensitivities give way."""

    def __init__(self, model: PriceSurrogate, keep: int) -> None:
        self._model = model
        self._opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.recent: deque[FitReport] = deque(maxlen=keep)

    @property
    def best(self) -> FitReport:
        return min(self.recent, key=lambda r: r.price_error)

    def _gradients(self, loss: Tensor, last: bool) -> list[Tensor]:
        self._opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=not last)
        return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in self._model.parameters()]

    @staticmethod
    def _dot(a: Sequence[Tensor], b: Sequence[Tensor]) -> Tensor:
        return sum((x * y).sum() for x, y in zip(a, b))

    def fit(self, contracts: Contracts) -> FitReport:
        valuation = self._model.value(contracts)
        price = F.mse_loss(valuation.price, contracts.price)
        delta = F.mse_loss(valuation.delta, contracts.delta)
        pde = valuation.pde_residual.square().mean()
        main = self._gradients(price, last=False)
        side = self._gradients(0.1 * delta + 0.1 * pde, last=True)
        dot, norm = self._dot(main, side), self._dot(main, main) + 1e-12
        cosine = dot / (norm * self._dot(side, side) + 1e-12).sqrt()
        if dot < 0:
            side = [s - dot / norm * m for s, m in zip(side, main)]
        for p, m, s in zip(self._model.parameters(), main, side):
            p.grad = m + s
        self._opt.step()
        report = FitReport(price.item(), delta.item(), pde.item(), cosine.item())
        self.recent.append(report)
        return report
