from __future__ import annotations

from typing import Iterator, Sequence

import torch
from torch import Tensor

from config import ScorerConfig
from objectives import Objective
from scorer import QuoteScorer


class ScorerTrainer:
    def __init__(self, model: QuoteScorer, objectives: Sequence[Objective], cfg: ScorerConfig) -> None:
        self.model, self.objectives, self.cfg = model, objectives, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)

    def quotes(self) -> Iterator[tuple[Tensor, Tensor]]:
        w = torch.randn(self.cfg.features)
        for _ in range(self.cfg.steps):
            x = torch.randn(self.cfg.batch, self.cfg.features)
            yield x, (torch.rand(self.cfg.batch) < torch.sigmoid(x @ w)).float()

    def loss(self, step: int, x: Tensor, y: Tensor) -> Tensor:
        logits = self.model(x)
        terms = [o.weight * o(self.model, x, logits, y) for o in self.objectives if o.active(step)]
        return torch.stack(terms).sum()

    def fit(self) -> None:
        for step, (x, y) in enumerate(self.quotes()):
            loss = self.loss(step, x, y)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            if step % 20 == 0:
                print(f"{step:4d} {loss.item():.4f}")
