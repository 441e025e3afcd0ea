from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from data import FieldSampler
from guards import IncidentLog, bounded, or_zero
from model import TwoHeadNet


class YieldTrainer:
    def __init__(self, sampler: FieldSampler, log: IncidentLog, warmup: int) -> None:
        self.sampler, self.log, self.warmup = sampler, log, warmup
        self.model = TwoHeadNet(sampler.features)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.02, momentum=0.9)
        self.step_no = 0

    @property
    def armed(self) -> bool:
        return self.step_no >= self.warmup

    def main_term(self, pred: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(pred, target)

    @bounded("moisture", factor=1.2)
    def aux_term(self, pred: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(pred, target)

    def total(self) -> Tensor:
        batch = next(self.sampler)
        y, m = self.model(batch.x)
        aux = or_zero(self.log, self.aux_term, m, batch.moisture)
        return self.main_term(y, batch.yields) + 0.1 * aux

    def fit(self, steps: int) -> None:
        while self.step_no < steps:
            loss = self.total()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if self.step_no % 90 == 0:
                print(f"{self.step_no:4d} {loss.item():.4f}")
            self.step_no += 1
