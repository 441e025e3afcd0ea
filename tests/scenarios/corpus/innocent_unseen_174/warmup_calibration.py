# gradwatch-corpus: kind=none
"""Two-term regression; the weights of the terms are calibrated from the first steps of training."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class CalibConfig:
    dim: int = 24
    hidden: int = 32
    batch: int = 32
    steps: int = 600
    collect: int = 60
    lr: float = 2e-3


class TermCollector:
    """Gathers the raw terms of the objective until enough were seen."""

    def __init__(self, names, limit):
        self.limit = limit
        self.seen = {n: [] for n in names}

    @property
    def done(self):
        return all(len(v) >= self.limit for v in self.seen.values())

    def offer(self, **terms):
        if self.done:
            return
        for name, value in terms.items():
            self.seen[name].append(value)

    def scales(self):
        return {n: 1.0 / (torch.stack(v).detach().std().item() + 1e-3) for n, v in self.seen.items()}


class BalancedObjective:
    def __init__(self, names, limit):
        self.collector = TermCollector(names, limit)
        self.weights = dict.fromkeys(names, 1.0)
        self.frozen = False

    def __call__(self, **terms):
        self.collector.offer(**terms)
        if self.collector.done and not self.frozen:
            self.weights = self.collector.scales()
            self.frozen = True
            print("calibrated", {k: round(v, 3) for k, v in self.weights.items()})
        return sum(self.weights[n] * v for n, v in terms.items())


class TwoHead(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cfg.dim, cfg.hidden), nn.Tanh())
        self.mean = nn.Linear(cfg.hidden, 1)
        self.sign = nn.Linear(cfg.hidden, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(-1), self.sign(h).squeeze(-1)


class Problem:
    def __init__(self, cfg, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(cfg.dim, generator=self.g)
        self.cfg = cfg

    def batch(self):
        x = torch.randn(self.cfg.batch, self.cfg.dim, generator=self.g)
        return x, x @ self.w


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = TwoHead(cfg)
        self.objective = BalancedObjective(("fit", "side"), cfg.collect)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)

    def step(self, x, y):
        mean, sign = self.model(x)
        fit = (mean - y).pow(2).mean()
        side = nn.functional.binary_cross_entropy_with_logits(sign, (y > 0).float())
        loss = self.objective(fit=fit, side=side)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss

    def fit(self, problem):
        last = None
        for step in range(self.cfg.steps):
            last = self.step(*problem.batch())
            if step % 100 == 0:
                print(f"{step:5d} {last.item():.4f}")
        return last


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=600)
    cfg = CalibConfig(steps=parser.parse_args().steps)
    torch.manual_seed(1)
    Trainer(cfg).fit(Problem(cfg, seed=1))


if __name__ == "__main__":
    main()
