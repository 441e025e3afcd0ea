# gradwatch-corpus: kind=graph-chain
# holder: self.memory | model.memory | self.model.memory | fitter.model.memory
# first-bad: 2
"""Fit Holt smoothing constants online for a panel of demand series."""
import argparse
import itertools
from dataclasses import dataclass

import torch

from filters import HoltFilter
from series import RandomTrends


@dataclass
class OnlineConfig:
    series: int = 32
    burn_in: int = 1
    steps: int = 420
    lr: float = 1e-2
    clip: float = 1.0


class ForecastLog:
    def __init__(self, every):
        self.every = every
        self.total = 0.0
        self.n = 0

    def add(self, value):
        self.total += value
        self.n += 1
        if self.n % self.every == 0:
            print(f"after {self.n}: mean one-step error {self.total / self.every:.4f}")
            self.total = 0.0


class OnlineFitter:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = HoltFilter(cfg.series)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.log = ForecastLog(60)

    def burn(self, stream):
        for y in itertools.islice(stream, self.cfg.burn_in):
            self.model(y)

    def fit(self, stream):
        self.burn(stream)
        for y in itertools.islice(stream, self.cfg.steps):
            predicted = self.model(y)
            loss = torch.nn.functional.huber_loss(predicted, y)
            self.opt.zero_grad()
            loss.backward(retain_graph=True)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
            self.opt.step()
            self.log.add(loss.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=420)
    cfg = OnlineConfig(steps=parser.parse_args().steps)
    torch.manual_seed(8)
    fitter = OnlineFitter(cfg)
    fitter.fit(RandomTrends(cfg.series, seed=8))
    print("alpha", torch.sigmoid(fitter.model.alpha).mean().item())


if __name__ == "__main__":
    main()
