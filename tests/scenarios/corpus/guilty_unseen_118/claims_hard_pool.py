# gradwatch-corpus: kind=second-backward
# holder: self.pool | miner.pool | entry.loss | e.loss
# first-bad: 40
# notice: 0
"""Insurance claim severity classifier with a pool of the hardest batches.

Usage: python claims_hard_pool.py
"""
from __future__ import annotations

import dataclasses
import logging

import torch
from torch import Tensor, nn
from torch.nn import functional as F

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("claims")


@dataclasses.dataclass
class Config:
    steps: int = 300
    batch: int = 32
    pool: int = 6
    revisit_from: int = 40
    revisit_every: int = 20
    lr: float = 0.02
    seed: int = 9


@dataclasses.dataclass
class Entry:
    score: float
    step: int
    loss: Tensor


class HardMiner:
    def __init__(self, size: int) -> None:
        self.size = size
        self.pool: list[Entry] = []

    def offer(self, step: int, loss: Tensor) -> None:
        self.pool.append(Entry(loss.item(), step, loss))  # <- culprit
        self.pool.sort(key=lambda e: e.score, reverse=True)
        del self.pool[self.size:]

    def objective(self) -> Tensor:
        return torch.stack([e.loss for e in self.pool]).mean()  # <- culprit


def claims(cfg: Config) -> tuple[Tensor, Tensor]:
    x = torch.randn(cfg.batch, 14)
    logit = x[:, 0] * x[:, 1] + 0.6 * x[:, 2]
    severity = (logit > -0.4).long() + (logit > 0.6).long()
    return x, severity


def train(cfg: Config) -> None:
    torch.manual_seed(cfg.seed)
    torch.set_num_threads(1)
    net = nn.Sequential(nn.Linear(14, 40), nn.GELU(), nn.Linear(40, 3))
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)
    miner = HardMiner(cfg.pool)
    for step in range(cfg.steps):
        x, y = claims(cfg)
        loss = F.cross_entropy(net(x), y, label_smoothing=0.02)
        opt.zero_grad()
        loss.backward()  # <- culprit
        if step >= cfg.revisit_from and step % cfg.revisit_every == 0:
            (0.3 * miner.objective()).backward()  # <- culprit
        opt.step()
        miner.offer(step, loss)  # <- culprit
        if step % 25 == 0:
            log.info("step %d loss %.4f hardest %.4f", step, loss.item(), miner.pool[0].score)


if __name__ == "__main__":
    train(Config())
