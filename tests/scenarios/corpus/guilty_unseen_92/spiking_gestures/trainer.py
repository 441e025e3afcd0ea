from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Stats(NamedTuple):
    loss: float
    rate: float


class StreamTrainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, rate_target: float = 0.15) -> None:
        self.model, self.optimizer, self.rate_target = model, optimizer, rate_target

    def objective(self, events: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
        logits, spikes = self.model(events)
        rate = spikes.mean()
        return F.cross_entropy(logits, label) + (rate - self.rate_target) ** 2, rate

    def step(self, events: Tensor, label: Tensor) -> Stats:
        loss, rate = self.objective(events, label)
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return Stats(loss.item(), rate.item())
