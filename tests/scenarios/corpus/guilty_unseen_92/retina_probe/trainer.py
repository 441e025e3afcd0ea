from __future__ import annotations

from contextlib import ExitStack

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from config import RunConfig
from probes import ActivationProbe


class SegTrainer:
    def __init__(self, model: nn.Module, cfg: RunConfig) -> None:
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.probe = ActivationProbe(cfg.probe.kinds)
        self.step = 0
        self.best = float("inf")

    @torch.no_grad()
    def validate(self, loader: DataLoader) -> float:
        self.model.eval()
        scores = [F.binary_cross_entropy_with_logits(self.model(x), y).item() for x, y in loader]
        self.model.train()
        return sum(scores) / len(scores)

    def fit(self, train: DataLoader, val: DataLoader) -> None:
        with ExitStack() as stack:
            for _ in range(self.cfg.epochs):
                for x, y in train:
                    loss = F.binary_cross_entropy_with_logits(self.model(x), y)
                    self.opt.zero_grad()
                    loss.backward()
                    self.opt.step()
                    self.step += 1
                    if self.step % self.cfg.validate_every == 0:
                        self.after_validation(self.validate(val), stack)

    def after_validation(self, score: float, stack: ExitStack) -> None:
        if self.best == float("inf"):
            stack.enter_context(self.probe.attached(self.model))
        self.best = min(self.best, score)
        print(f"step {self.step} val {score:.4f}")
