# gradwatch-corpus: kind=none
"""Shared encoder with a fast head and a slow body; the body steps on every fifth batch."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class SpeedConfig:
    dim: int = 20
    hidden: int = 32
    classes: int = 4
    batch: int = 24
    period: int = 5
    steps: int = 600
    fast_lr: float = 5e-3
    slow_lr: float = 2e-3


class SharedNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cfg.dim, cfg.hidden), nn.Tanh())
        self.label = nn.Linear(cfg.hidden, cfg.classes)
        self.recon = nn.Linear(cfg.hidden, cfg.dim)


class Pool:
    """Body outputs that the slow group has yet to be updated on."""

    def __init__(self, period):
        self.period = period
        self.items = []

    def put(self, h, x, y):
        self.items.append((h, x, y))

    @property
    def full(self):
        return len(self.items) >= self.period

    def drain(self):
        items, self.items = self.items, []
        return items


class TwoSpeedTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = SharedNet(cfg)
        heads = [*self.net.label.parameters(), *self.net.recon.parameters()]
        self.fast = torch.optim.Adam(heads, lr=cfg.fast_lr)
        self.slow = torch.optim.SGD(self.net.body.parameters(), lr=cfg.slow_lr, momentum=0.9)
        self.pool = Pool(cfg.period)
        self.last = {}

    def heads_loss(self, h, x, y):
        label = F.cross_entropy(self.net.label(h), y)
        recon = F.mse_loss(self.net.recon(h), x)
        return label, recon

    def fast_step(self, h, x, y):
        label, recon = self.heads_loss(h.detach(), x, y)
        self.fast.zero_grad()
        (label + 0.1 * recon).backward()
        self.fast.step()
        self.last = {"label": label, "recon": recon}

    def slow_step(self):
        self.slow.zero_grad()
        total = 0.0
        for h, x, y in self.pool.drain():
            label, recon = self.heads_loss(h, x, y)
            total = total + label + 0.1 * recon
        (total / self.cfg.period).backward()
        self.slow.step()

    def step(self, x, y):
        h = self.net.body(x)
        self.pool.put(h, x, y)
        self.fast_step(h, x, y)
        if self.pool.full:
            self.slow_step()


class Clusters:
    def __init__(self, cfg, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.centres = torch.randn(cfg.classes, cfg.dim, generator=self.g)
        self.n = cfg.batch

    def __call__(self):
        y = torch.randint(len(self.centres), (self.n,), generator=self.g)
        return self.centres[y] + torch.randn(self.n, self.centres.shape[1], generator=self.g), y


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=600)
    cfg = SpeedConfig(steps=parser.parse_args().steps)
    torch.manual_seed(19)
    trainer, data = TwoSpeedTrainer(cfg), Clusters(cfg, seed=19)
    for i in range(cfg.steps):
        trainer.step(*data())
        if i % 100 == 0:
            print(i, {k: round(v.item(), 4) for k, v in trainer.last.items()})


if __name__ == "__main__":
    main()
