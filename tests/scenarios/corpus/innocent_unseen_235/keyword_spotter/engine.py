from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from callbacks import Callback


@dataclass(frozen=True)
class SpotConfig:
    mels: int = 40
    frames: int = 49
    words: int = 8
    batch: int = 24
    accumulate: int = 4
    batches: int = 32
    epochs: int = 4
    lr: float = 2e-3
    seed: int = 90


class DsCnn(nn.Module):
    def __init__(self, mels: int, words: int, width: int = 48) -> None:
        super().__init__()
        self.stem = nn.Conv1d(mels, width, 5, padding=2)
        self.depth = nn.Conv1d(width, width, 9, padding=4, groups=width)
        self.point = nn.Conv1d(width, width, 1)
        self.pool = nn.AdaptiveAvgPool1d(1)
        self.head = nn.Linear(width, words)

    def forward(self, x: Tensor) -> Tensor:
        h = F.relu(self.stem(x))
        h = F.relu(self.point(self.depth(h))) + h
        return self.head(self.pool(h).squeeze(-1))


class Engine:
    def __init__(self, cfg: SpotConfig, callbacks: Sequence[Callback]) -> None:
        self.cfg = cfg
        self.callbacks = callbacks
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.templates = torch.randn(cfg.words, cfg.mels, cfg.frames, generator=self.gen)
        self.model = DsCnn(cfg.mels, cfg.words)
        self.optim = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.epoch = 0

    def batch(self) -> tuple[Tensor, Tensor]:
        label = torch.randint(self.cfg.words, (self.cfg.batch,), generator=self.gen)
        noise = torch.randn(self.cfg.batch, self.cfg.mels, self.cfg.frames, generator=self.gen)
        return 0.4 * self.templates[label] + noise, label

    def run_epoch(self) -> None:
        for cb in self.callbacks:
            cb.on_epoch_start(self)
        self.optim.zero_grad()
        for b in range(self.cfg.batches):
            x, label = self.batch()
            logits = self.model(x)
            loss = F.cross_entropy(logits, label, label_smoothing=0.05)
            (loss / self.cfg.accumulate).backward()
            if (b + 1) % self.cfg.accumulate == 0:
                self.optim.step()
                self.optim.zero_grad()
            for cb in self.callbacks:
                cb.on_batch(self, loss, logits)
        for cb in self.callbacks:
            cb.on_epoch_end(self)

    def fit(self) -> None:
        for self.epoch in range(self.cfg.epochs):
            self.run_epoch()
