# gradwatch-corpus: kind=none
"""Pairwise ranking with micro-batches, an accumulation wrapper and a metric store."""
from abc import ABC
from abc import abstractmethod
from collections import defaultdict
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class PairConfig:
    feats: int = 32
    pairs: int = 40
    micro: int = 4
    micro_steps: int = 180
    lr: float = 5e-3


class Accumulator:
    """Steps the optimizer after a given number of backward calls."""

    def __init__(self, optimizer, every):
        self.optimizer = optimizer
        self.every = every
        self.seen = 0
        self.running = torch.zeros(())

    def backward(self, loss):
        (loss / self.every).backward()
        self.running = self.running + loss.detach()
        self.seen += 1
        if self.seen % self.every:
            return None
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        mean = self.running / self.every
        self.running = torch.zeros(())
        return mean


class MetricStore:
    def __init__(self, span):
        self.series = defaultdict(lambda: deque(maxlen=span))

    def add(self, **values):
        for name, value in values.items():
            self.series[name].append(value)

    def mean(self, name):
        return torch.stack(list(self.series[name])).mean().item()


class Runner(ABC):
    @abstractmethod
    def loss(self, batch):
        ...

    def loop(self, source, steps):
        for step in range(steps):
            mean = self.accumulator.backward(self.loss(source()))
            if mean is not None:
                self.metrics.add(hinge=mean)
            if (step + 1) % 60 == 0:
                hinge = self.metrics.mean("hinge")
                margin = self.metrics.mean("margin")
                print(f"micro {step + 1} hinge {hinge:.4f} margin {margin:.3f}")


class PairRunner(Runner):
    def __init__(self, cfg):
        self.scorer = nn.Sequential(nn.Linear(cfg.feats, 48), nn.ReLU(), nn.Linear(48, 1))
        optimizer = torch.optim.Adam(self.scorer.parameters(), lr=cfg.lr)
        self.accumulator = Accumulator(optimizer, cfg.micro)
        self.metrics = MetricStore(span=32)

    def loss(self, batch):
        better, worse = batch
        margin = self.scorer(better) - self.scorer(worse)
        self.metrics.add(margin=margin.mean().detach())
        return F.softplus(-margin).mean()


def make_source(cfg):
    gen = torch.Generator().manual_seed(33)
    truth = torch.randn(cfg.feats, generator=gen)

    def source():
        a = torch.randn(cfg.pairs, cfg.feats, generator=gen)
        b = torch.randn(cfg.pairs, cfg.feats, generator=gen)
        wins = ((a @ truth) > (b @ truth)).unsqueeze(1)
        return torch.where(wins, a, b), torch.where(wins, b, a)

    return source


def main():
    torch.manual_seed(10)
    cfg = PairConfig()
    PairRunner(cfg).loop(make_source(cfg), cfg.micro_steps)


if __name__ == "__main__":
    main()
