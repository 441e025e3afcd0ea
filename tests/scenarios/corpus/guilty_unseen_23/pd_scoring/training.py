from __future__ import annotations

from typing import Iterable

import torch
import torch.nn.functional as F

from .bus import EventBus
from .data import LoanBatch
from .model import ExposureReport, ScoreCard


class ScoreTrainer:
    def __init__(self, model: ScoreCard, bus: EventBus, lr: float = 1e-3) -> None:
        self._model = model
        self._bus = bus
        self._opt = torch.optim.Adam(model.parameters(), lr=lr)
        self._step = 0

    def _train_batch(self, batch: LoanBatch) -> float:
        logits = self._model(batch.numeric, batch.sector)
        loss = F.binary_cross_entropy_with_logits(logits, batch.defaulted, weight=batch.balance / 5.5)
        self._opt.zero_grad(set_to_none=True)
        loss.backward()
        self._opt.step()
        self._bus.publish("exposure", self._step, ExposureReport(logits, batch.balance))
        self._step += 1
        return loss.item()

    def run_epoch(self, batches: Iterable[LoanBatch]) -> float:
        losses = [self._train_batch(b) for b in batches]
        return sum(losses) / len(losses)
