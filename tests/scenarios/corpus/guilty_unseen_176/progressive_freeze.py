# gradwatch-corpus: kind=crashed
# first-bad: 160
"""Fine-tuning a small residual net with FreezeOut-style progressive freezing."""
from __future__ import annotations

import logging
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

logger = logging.getLogger("freezeout")


@dataclass(frozen=True)
class Schedule:
    interval: int = 40
    steps: int = 500


class Block(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.body = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


class Classifier(nn.Module):
    def __init__(self, features: int, dim: int, classes: int, depth: int = 2):
        super().__init__()
        self.stem = nn.Linear(features, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))
        self.head = nn.Linear(dim, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class ProgressiveFreezer:
    """Freezes one more stage, bottom up, at each interval."""

    def __init__(self, model: Classifier, schedule: Schedule):
        self.stages = [model.stem, *model.blocks, model.head]
        self.schedule = schedule
        self.frozen = 0

    def step(self, iteration: int) -> None:
        due = iteration // self.schedule.interval
        while self.frozen < min(due, len(self.stages)):
            stage = self.stages[self.frozen]
            stage.requires_grad_(False)  # <- culprit
            self.frozen += 1
            logger.info("iteration %d: froze %s", iteration, stage.__class__.__name__)


def spirals(n: int, gen: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    y = torch.randint(3, (n,), generator=gen)
    r = torch.rand(n, generator=gen)
    theta = 4 * r + 2.094 * y + 0.1 * torch.randn(n, generator=gen)
    xy = torch.stack([r * theta.cos(), r * theta.sin()], -1)
    return torch.cat([xy, xy.square(), xy.prod(-1, keepdim=True)], -1), y


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    torch.manual_seed(31)
    schedule = Schedule()
    gen = torch.Generator().manual_seed(1)
    model = Classifier(features=5, dim=32, classes=3)
    freezer = ProgressiveFreezer(model, schedule)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(opt, schedule.steps)

    for it in range(schedule.steps):
        freezer.step(it)
        x, y = spirals(64, gen)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        scheduler.step()
        if it % 25 == 0:
            acc = (logits.argmax(-1) == y).float().mean().item()
            logger.info("iteration %d: loss %.3f acc %.2f", it, loss.item(), acc)


if __name__ == "__main__":
    main()
