from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from config import TrainConfig
from penalties import PENALTIES


class Trainer:
    def __init__(self, model: nn.Module, cfg: TrainConfig) -> None:
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.penalty = PENALTIES[cfg.anchor.name](model, cfg.anchor)
        self.global_step = 0
        self.last_loss = float("nan")

    def training_step(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        task = F.smooth_l1_loss(self.model(batch["x"]), batch["y"])
        return task + self.penalty(self.global_step)

    def fit(self, loader: DataLoader) -> None:
        for epoch in range(self.cfg.epochs):
            for batch in loader:
                loss = self.training_step(batch)
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                self.opt.step()
                self.last_loss = loss.item()
                self.global_step += 1
            if epoch % 4 == 3:
                print(f"epoch {epoch}: loss {self.last_loss:.4f}")
