from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from layers import LogTagger


@dataclass
class TrainerConfig:
    steps: int
    lr: float
    eval_every: int


class TaggerTrainer:
    def __init__(self, model: LogTagger, cfg: TrainerConfig) -> None:
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)

    def fit(self, batches: Iterator[tuple[Tensor, Tensor]]) -> None:
        for step, (ids, tags) in enumerate(islice(batches, self.cfg.steps)):
            loss = F.binary_cross_entropy_with_logits(self.model(ids), tags)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.model.on_weights_changed()
            if step % self.cfg.eval_every == self.cfg.eval_every - 1:
                print(f"step {step + 1}: train {loss.item():.4f} f1 {self.f1(*next(batches)):.3f}")

    @torch.no_grad()
    def f1(self, ids: Tensor, tags: Tensor) -> float:
        self.model.eval()
        hit = self.model(ids) > 0
        self.model.train()
        self.model.on_weights_changed()
        tp = (hit & (tags > 0)).sum().item()
        return 2 * tp / max(hit.sum().item() + tags.sum().item(), 1)
