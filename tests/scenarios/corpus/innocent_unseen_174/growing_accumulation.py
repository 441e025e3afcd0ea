# gradwatch-corpus: kind=none
"""Contrastive pretraining of a tiny encoder with an accumulation length that follows a schedule."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

SCHEDULES = {}


def schedule(fn):
    SCHEDULES[fn.__name__] = fn
    return fn


@schedule
def fibonacci():
    while True:
        a, b = 1, 2
        while a <= 8:
            yield a
            a, b = b, a + b


@schedule
def sawtooth():
    while True:
        yield from (2, 4, 6, 3, 1)


@dataclass
class PretrainConfig:
    dim: int = 32
    joint: int = 16
    batch: int = 16
    steps: int = 450
    lr: float = 2e-3
    temperature: float = 0.2
    lengths: str = "fibonacci"


class Encoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cfg.dim, 32), nn.ReLU(), nn.Linear(32, cfg.joint))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class Accumulator:
    """Sums micro-batch losses and says when they should be turned into one step."""

    def __init__(self, lengths):
        self.lengths = lengths
        self.target = next(lengths)
        self.total = None
        self.parts = []

    def add(self, loss):
        self.parts.append(loss)
        self.total = loss if self.total is None else self.total + loss
        return len(self.parts) >= self.target

    def release(self):
        mean = self.total / len(self.parts)
        spread = torch.stack(self.parts).detach().std(unbiased=False).item()
        self.total = None
        self.parts = []
        self.target = next(self.lengths)
        return mean, spread


class Pretrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.encoder = Encoder(cfg)
        self.acc = Accumulator(SCHEDULES[cfg.lengths]())
        self.opt = torch.optim.Adam(self.encoder.parameters(), lr=cfg.lr)
        self.steps = 0
        self.trace = 0.0

    def views(self):
        base = torch.randn(self.cfg.batch, 6) @ self.mix
        return base + 0.2 * torch.randn_like(base), base + 0.2 * torch.randn_like(base)

    def micro_loss(self):
        a, b = map(self.encoder, self.views())
        logits = a @ b.T / self.cfg.temperature
        target = torch.arange(len(a))
        return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target))

    def run(self):
        self.mix = torch.randn(6, self.cfg.dim)
        while self.steps < self.cfg.steps:
            if not self.acc.add(self.micro_loss()):
                continue
            mean, spread = self.acc.release()
            self.opt.zero_grad()
            mean.backward()
            self.opt.step()
            self.steps += 1
            self.trace = 0.9 * self.trace + 0.1 * mean.item()
            if self.steps % 90 == 0:
                print(f"{self.steps:4d} {self.trace:.4f} +- {spread:.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=450)
    parser.add_argument("--lengths", choices=sorted(SCHEDULES), default="fibonacci")
    args = parser.parse_args()
    torch.manual_seed(71)
    Pretrainer(PretrainConfig(steps=args.steps, lengths=args.lengths)).run()


if __name__ == "__main__":
    main()
