from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from vault import SnapshotVault


class RollbackTrainer:
    def __init__(self, model: nn.Module, vault: SnapshotVault, jump: float) -> None:
        self.model = model
        self.vault = vault
        self.jump = jump
        self.usual: float | None = None
        self.rollbacks = 0
        self.opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

    def _watch(self, value: float) -> bool:
        if self.usual is None:
            self.usual = value
        spike = value > self.jump * self.usual
        if not spike:
            self.usual += 0.1 * (value - self.usual)
        return spike

    def fit(self, batches: Iterator[Tensor], steps: int) -> None:
        for step in range(steps):
            x = next(batches)
            miss = F.mse_loss(self.model(x), x)
            self.opt.zero_grad()
            miss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            value = miss.item()
            if self._watch(value) and self.vault.tags():
                self.model.load_state_dict(self.vault.oldest())
                self.rollbacks += 1
            else:
                self.vault.put(step, self.model.state_dict())
            if step % 60 == 0:
                print(f"step {step:3d} recon {value:.4f} usual {self.usual:.4f} rollbacks {self.rollbacks}")
