# gradwatch-corpus: kind=graph-held
# holder: self.steps | journal.steps | record | rec
# first-bad: 1
from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass
class Config:
    window: int = 24
    horizon: int = 4
    hidden: int = 20
    steps: int = 170
    lr: float = 4e-3


@dataclass(frozen=True)
class StepRecord:
    index: int
    mse: Tensor
    pred: Tensor
    wall: float


@dataclass
class Journal:
    steps: deque[StepRecord] = field(default_factory=deque)
    started: float = field(default_factory=time.perf_counter)

    def write(self, rec: StepRecord) -> None:
        self.steps.append(rec)  # <- culprit

    def tail(self, n: int) -> float:
        xs = [r.mse.item() for r in list(self.steps)[-n:]]
        return sum(xs) / len(xs)


class Forecaster(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.lstm = nn.LSTM(1, cfg.hidden, batch_first=True)
        self.proj = nn.Linear(cfg.hidden, cfg.horizon)

    def forward(self, x: Tensor) -> Tensor:
        h, _ = self.lstm(x)
        return self.proj(h[:, -1])


def sample(cfg: Config, n: int) -> tuple[Tensor, Tensor]:
    phase = torch.rand(n, 1) * 6.28
    t = torch.arange(cfg.window + cfg.horizon).float()[None] * 0.3
    s = torch.sin(t + phase) + 0.05 * torch.randn(n, t.size(1))
    return s[:, : cfg.window, None], s[:, cfg.window:]


def run(cfg: Config) -> None:
    torch.manual_seed(77)
    net, journal = Forecaster(cfg), Journal()
    opt = torch.optim.RMSprop(net.parameters(), lr=cfg.lr)
    for i in range(cfg.steps):
        x, y = sample(cfg, 16)
        pred = net(x)
        mse = torch.mean((pred - y) ** 2)
        opt.zero_grad()
        mse.backward()
        opt.step()
        record = StepRecord(i, mse, pred, time.perf_counter() - journal.started)  # <- culprit
        journal.write(record)
        if i % 34 == 33:
            print(f"{i + 1:4d}: {journal.tail(10):.5f}")


run(Config())
