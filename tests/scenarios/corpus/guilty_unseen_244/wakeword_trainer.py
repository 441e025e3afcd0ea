# gradwatch-corpus: kind=graph-held
# holder: self.value | meter.value | self.meter.value | self.smooth.value | progress.smooth.value
# first-bad: 1
"""Wake-word spotting on synthetic log-mel patches, with a curriculum over background noise."""
from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import nn


class Stage(enum.Enum):
    CLEAN = 0.1
    CAR = 0.5
    KITCHEN = 0.9


@dataclass
class WakeConfig:
    mel_bins: int = 24
    frames: int = 32
    keywords: int = 5
    batch: int = 24
    channels: int = 12
    steps_per_stage: int = 45
    lr: float = 3e-3
    stages: list[Stage] = field(default_factory=lambda: list(Stage))


class Callback(Protocol):
    def on_stage(self, stage: Stage) -> None: ...

    def on_batch(self, ctx: dict[str, Any]) -> None: ...


class SmoothedMeter:
    def __init__(self, beta: float = 0.95) -> None:
        self.beta = beta
        self.value = None
        self.count = 0

    def update(self, x) -> None:
        self.count += 1
        if self.value is None:
            self.value = x  # <- culprit
        else:
            self.value = self.beta * self.value + (1 - self.beta) * x  # <- culprit

    def __float__(self) -> float:
        return float(self.value)


class ProgressCallback:
    def __init__(self, every: int = 15) -> None:
        self.every = every
        self.smooth = SmoothedMeter()
        self.stage = None
        self.best = math.inf

    def on_stage(self, stage: Stage) -> None:
        self.stage = stage
        self.best = math.inf

    def on_batch(self, ctx: dict[str, Any]) -> None:
        self.smooth.update(ctx["loss"])  # <- culprit
        self.best = min(self.best, float(self.smooth))
        if self.smooth.count % self.every == 0:
            print(f"{self.stage.name:<8} n={self.smooth.count:<4} ema={float(self.smooth):.4f} best={self.best:.4f} acc={ctx['accuracy']:.2f}")


class KeywordBank:
    def __init__(self, cfg: WakeConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.templates = torch.randn(cfg.keywords, cfg.mel_bins, cfg.frames, generator=self.gen)

    def draw(self, noise: float) -> tuple[torch.Tensor, torch.Tensor]:
        y = torch.randint(self.cfg.keywords, (self.cfg.batch,), generator=self.gen)
        shift = int(torch.randint(-4, 5, (1,), generator=self.gen))
        mel = torch.roll(self.templates[y], shift, dims=2) * 0.4
        mel = mel + noise * torch.randn(mel.shape, generator=self.gen)
        return mel.unsqueeze(1), y


class DepthwiseSpotter(nn.Module):
    def __init__(self, cfg: WakeConfig) -> None:
        super().__init__()
        c = cfg.channels
        self.stem = nn.Conv2d(1, c, (5, 5), stride=2, padding=2)
        self.depth = nn.Conv2d(c, c, 3, padding=1, groups=c)
        self.point = nn.Conv2d(c, 2 * c, 1)
        self.norm = nn.GroupNorm(4, 2 * c)
        self.out = nn.Linear(2 * c, cfg.keywords)

    def forward(self, mel: torch.Tensor) -> torch.Tensor:
        h = torch.relu(self.stem(mel))
        h = torch.relu(self.norm(self.point(self.depth(h))))
        return self.out(h.mean(dim=(2, 3)))


class SpotterTrainer:
    def __init__(self, cfg: WakeConfig, callbacks: list[Callback]) -> None:
        self.cfg = cfg
        self.net = DepthwiseSpotter(cfg)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=cfg.lr)
        self.callbacks = callbacks

    def _batch(self, mel: torch.Tensor, y: torch.Tensor) -> dict[str, Any]:
        logits = self.net(mel)
        loss = nn.functional.cross_entropy(logits, y, label_smoothing=0.05)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self.net.parameters(), 0.5)
        self.opt.step()
        accuracy = (logits.argmax(1) == y).float().mean().item()
        return {"loss": loss, "accuracy": accuracy}  # <- culprit

    def fit(self, bank: KeywordBank) -> None:
        for stage in self.cfg.stages:
            for cb in self.callbacks:
                cb.on_stage(stage)
            for _ in range(self.cfg.steps_per_stage):
                ctx = self._batch(*bank.draw(stage.value))
                for cb in self.callbacks:
                    cb.on_batch(ctx)


if __name__ == "__main__":
    torch.manual_seed(9)
    cfg = WakeConfig()
    progress = ProgressCallback()
    SpotterTrainer(cfg, [progress]).fit(KeywordBank(cfg, seed=10))
