# gradwatch-corpus: kind=graph-chain
# holder: self.theta | self.cell.theta | model.cell.theta | trainer.model.cell.theta
# first-bad: 1
# notice: 5
"""Adaptive LIF network on an endless synthetic event stream."""
from __future__ import annotations

from dataclasses import dataclass

import torch

from cells import AdaptiveLIF
from network import StreamClassifier
from stream import event_stream
from trainer import StreamTrainer


@dataclass
class Config:
    channels: int = 8
    hidden: int = 16
    classes: int = 3
    batch: int = 8
    window: int = 2
    steps: int = 125
    lr: float = 2e-3
    seed: int = 5


def main(cfg: Config = Config()) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    model = StreamClassifier(AdaptiveLIF(cfg.channels, cfg.hidden), cfg.classes)
    trainer = StreamTrainer(model, torch.optim.Adam(model.parameters(), lr=cfg.lr))
    windows = event_stream(cfg.batch, cfg.channels, cfg.classes, cfg.window)
    for step in range(cfg.steps):
        stats = trainer.step(*next(windows))
        if step % 40 == 0:
            print(f"{step:4d} loss={stats.loss:.4f} rate={stats.rate:.3f}")


if __name__ == "__main__":
    main()
