# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast
# first-bad: 1
"""Test-time adaptation of a classifier head on a drifting stream."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterator

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


@dataclass
class StreamConfig:
    dim: int = 24
    classes: int = 5
    batch: int = 32
    steps: int = 500
    drift: float = 0.01
    seed: int = 11


def drifting_stream(cfg: StreamConfig) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    gen = torch.Generator().manual_seed(cfg.seed)
    centres = 1.5 * torch.randn(cfg.classes, cfg.dim, generator=gen)
    direction = torch.randn(cfg.classes, cfg.dim, generator=gen)
    for t in range(cfg.steps):
        y = torch.randint(cfg.classes, (cfg.batch,), generator=gen)
        shift = math.sin(cfg.drift * t) * direction
        x = (centres + shift)[y] + torch.randn(cfg.batch, cfg.dim, generator=gen)
        yield x, y


class Head(nn.Module):
    def __init__(self, width: int, classes: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc = nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(self.norm(x))


class StreamLearner:
    def __init__(self, cfg: StreamConfig, width: int = 48, lr: float = 0.15, decay: float = 1e-3):
        self.backbone = nn.Sequential(nn.Linear(cfg.dim, width), nn.GELU(), nn.Linear(width, width))
        self.backbone.requires_grad_(False)
        self.head = Head(width, cfg.classes)
        self.fast = dict(self.head.named_parameters())
        self.lr, self.decay = lr, decay

    def logits(self, x: torch.Tensor) -> torch.Tensor:
        return functional_call(self.head, self.fast, (self.backbone(x),))

    def observe(self, x: torch.Tensor, y: torch.Tensor) -> tuple[float, float]:
        logits = self.logits(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        names, values = zip(*self.fast.items())
        grads = torch.autograd.grad(loss, values)
        self.fast = {
            n: (1 - self.decay) * w - self.lr * g for n, w, g in zip(names, values, grads)  # <- culprit
        }
        hit = (logits.argmax(-1) == y).float().mean()
        return loss.item(), hit.item()


def main() -> None:
    torch.manual_seed(0)
    cfg = StreamConfig()
    learner = StreamLearner(cfg)
    acc = 0.0
    for t, (x, y) in enumerate(drifting_stream(cfg)):
        loss, hit = learner.observe(x, y)
        acc = hit if t == 0 else 0.95 * acc + 0.05 * hit
        if t % 100 == 0:
            print(f"t={t:4d} loss={loss:.3f} prequential acc={acc:.3f}")


if __name__ == "__main__":
    main()
