from __future__ import annotations

from typing import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.data import DataLoader

from callbacks import Anomaly, Callback
from data import UNLABELLED
from teacher import StudentTeacher, ramp


class Trainer:
    def __init__(self, pair: StudentTeacher, callbacks: Sequence[Callback], ramp_start: int) -> None:
        self.pair, self.callbacks, self.ramp_start = pair, list(callbacks), ramp_start
        self.opt = torch.optim.SGD(pair.student.parameters(), 0.05, momentum=0.9, nesterov=True)
        self.anomalies: list[str] = []
        self.history: list[tuple[int, float]] = []
        self.step = 0

    def loss(self, batch: dict[str, Tensor]) -> Tensor:
        logits = self.pair.student(batch["strong"])
        labelled = batch["y"] != UNLABELLED
        supervised = F.cross_entropy(logits, batch["y"], ignore_index=UNLABELLED, reduction="sum") / labelled.sum().clamp(min=1)
        consistency = F.mse_loss(logits.softmax(-1), self.pair.targets(batch["weak"]))
        sparsity = self.pair.last_hidden.abs().mean()
        return supervised + 2.0 * ramp(self.step, self.ramp_start) * consistency + 1e-3 * sparsity

    def fit(self, loader: DataLoader, epochs: int) -> None:
        for _ in range(epochs):
            for batch in loader:
                loss = self.loss(batch)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.pair.follow()
                self.history.append((self.step, loss.item()))
                for cb in self.callbacks:
                    try:
                        cb.on_loss(self, self.step, loss)
                    except Anomaly as exc:
                        self.anomalies.append(str(exc))
                self.step += 1
