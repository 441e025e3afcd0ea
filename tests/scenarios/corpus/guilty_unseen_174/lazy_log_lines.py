# gradwatch-corpus: kind=graph-held
# holder: self.queue | log.queue | self.log.queue | logger.queue | trainer.log.queue
# first-bad: 1
"""Pairwise ranker for synthetic search sessions, with log lines formatted lazily off the hot path."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class RankConfig:
    features: int = 20
    hidden: int = 32
    pairs: int = 64
    steps: int = 500
    lr: float = 1e-3
    margin: float = 0.2
    log_capacity: int = 4096


class LazyLog:
    """Formatting is postponed until the queue is full or the log is closed."""

    def __init__(self, capacity, sink=print):
        self.capacity = capacity
        self.sink = sink
        self.queue = []

    def line(self, make):
        self.queue.append(make)  # <- culprit
        if len(self.queue) >= self.capacity:
            self.flush()

    def flush(self):
        lines = [make() for make in self.queue]
        self.queue.clear()
        for text in lines[:: max(1, len(lines) // 8)]:
            self.sink(text)


class ScalarLogMixin:
    log: LazyLog

    def log_scalars(self, step, **scalars):
        def make():
            body = " ".join(f"{k}={float(v):.4f}" for k, v in scalars.items())
            return f"step {step}: {body}"

        self.log.line(make)


class Scorer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(cfg.features, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, 1)
        )

    def forward(self, x):
        return self.body(x).squeeze(-1)


class Sessions:
    def __init__(self, cfg, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(cfg.features, generator=self.g)
        self.cfg = cfg

    def pair(self):
        shape = (self.cfg.pairs, self.cfg.features)
        a, b = torch.randn(shape, generator=self.g), torch.randn(shape, generator=self.g)
        swap = (a @ self.taste < b @ self.taste)[:, None]
        return torch.where(swap, b, a), torch.where(swap, a, b)


class RankTrainer(ScalarLogMixin):
    def __init__(self, cfg):
        self.cfg = cfg
        self.log = LazyLog(cfg.log_capacity)
        self.model = Scorer(cfg)
        self.opt = torch.optim.RMSprop(self.model.parameters(), lr=cfg.lr)

    def train(self, sessions):
        for step in range(self.cfg.steps):
            good, bad = sessions.pair()
            gap = self.model(good) - self.model(bad)
            loss = F.relu(self.cfg.margin - gap).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            with torch.no_grad():
                right = (gap > 0).float().mean()
            self.log_scalars(step, hinge=loss, correct=right)  # <- culprit
        self.log.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    cfg = RankConfig(steps=parser.parse_args().steps)
    torch.manual_seed(2)
    RankTrainer(cfg).train(Sessions(cfg, seed=2))


if __name__ == "__main__":
    main()
