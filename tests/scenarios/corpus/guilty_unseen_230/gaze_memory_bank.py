# gradwatch-corpus: kind=second-backward
# holder: self.slots | bank.slots | learner.bank.slots
# first-bad: 25
"""Contrastive pre-training on eye-tracking snippets, with a cross-batch memory after warm-up."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class PretrainConfig:
    steps: int = 120
    batch: int = 32
    length: int = 60
    warmup: int = 24
    bank_batches: int = 4
    temperature: float = 0.2
    lr: float = 1e-3


class CrossBatchMemory:
    def __init__(self, batches: int) -> None:
        self.slots: deque[Tensor] = deque(maxlen=batches)

    def __len__(self) -> int:
        return len(self.slots)

    def push(self, keys: Tensor) -> None:
        self.slots.append(keys)  # <- culprit

    def negatives(self) -> Tensor:
        return torch.cat(tuple(self.slots))


class SnippetEncoder(nn.Module):
    def __init__(self, dim: int = 32) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(2, 24, 5, stride=2),
            nn.ReLU(),
            nn.Conv1d(24, 48, 5, stride=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(1),
            nn.Flatten(),
        )
        self.project = nn.Linear(48, dim)

    def forward(self, snippet: Tensor) -> Tensor:
        return F.normalize(self.project(self.features(snippet)), dim=-1)


class WarmupGate:
    """Turns a feature on once the step counter passes a threshold."""

    def __init__(self, threshold: int) -> None:
        self.threshold = threshold
        self.step = -1

    def tick(self) -> bool:
        self.step += 1
        return self.step >= self.threshold


class ContrastiveLearner(nn.Module):
    def __init__(self, cfg: PretrainConfig) -> None:
        super().__init__()
        self.cfg = cfg
        self.encoder = SnippetEncoder()
        self.bank = CrossBatchMemory(cfg.bank_batches)
        self.gate = WarmupGate(cfg.warmup)

    def info_nce(self, anchors: Tensor, keys: Tensor, extra: Tensor | None) -> Tensor:
        candidates = keys if extra is None else torch.cat([keys, extra])
        logits = anchors @ candidates.t() / self.cfg.temperature
        return F.cross_entropy(logits, torch.arange(len(anchors)))

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        anchors = self.encoder(left)
        keys = self.encoder(right)
        extra = self.bank.negatives() if len(self.bank) else None
        loss = self.info_nce(anchors, keys, extra)
        if self.gate.tick():
            self.bank.push(keys)  # <- culprit
        return loss


def saccade_pairs(cfg: PretrainConfig):
    for _ in range(cfg.steps):
        jumps = (torch.rand(cfg.batch, 2, cfg.length) < 0.08).float()
        path = torch.cumsum(jumps * torch.randn_like(jumps), dim=-1)
        views = [path + 0.05 * torch.randn_like(path) for _ in range(2)]
        yield views[0], views[1].flip(1)


def main() -> None:
    torch.manual_seed(17)
    cfg = PretrainConfig()
    learner = ContrastiveLearner(cfg)
    optimizer = torch.optim.Adam(learner.parameters(), lr=cfg.lr)
    for step, (left, right) in enumerate(saccade_pairs(cfg)):
        loss = learner(left, right)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 12 == 0:
            print(f"step {step} nce {loss.item():.4f} bank {len(learner.bank)}")


if __name__ == "__main__":
    main()
