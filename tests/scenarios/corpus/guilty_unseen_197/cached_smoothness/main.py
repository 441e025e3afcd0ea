# gradwatch-corpus: kind=second-backward
# first-bad: 1
from dataclasses import dataclass, field

import torch

from model import AdditiveSpline
from regularizers import Cached, KnotBudget, SplineRoughness


@dataclass
class GamConfig:
    features: int = 5
    batch: int = 64
    steps: int = 500
    lr: float = 0.02
    roughness: float = 0.05
    refresh: int = 10


@dataclass
class History:
    rows: list = field(default_factory=list)

    def add(self, **row):
        self.rows.append(row)

    def mean(self, key, n=50):
        tail = [r[key] for r in self.rows[-n:]]
        return sum(tail) / len(tail)


class GamTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = AdditiveSpline(cfg.features)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.regularizers = [Cached(SplineRoughness(cfg.roughness), cfg.refresh), KnotBudget(0.1)]
        self.history = History()

    def objective(self, x, y):
        fit = (self.model(x) - y).square().mean()
        extra = sum(reg(self.model) for reg in self.regularizers)
        return fit, extra

    def run(self, draw):
        for step in range(self.cfg.steps):
            x, y = draw()
            fit, extra = self.objective(x, y)
            self.opt.zero_grad()
            (fit + extra).backward()
            self.opt.step()
            self.history.add(fit=fit.item(), extra=extra.item())
            if step % 100 == 0:
                print(step, f"{self.history.mean('fit'):.4f} {self.history.mean('extra'):.4f}")


def sampler(cfg, seed=6):
    g = torch.Generator().manual_seed(seed)
    phase = torch.rand(cfg.features, generator=g) * 3

    def draw():
        x = torch.rand(cfg.batch, cfg.features, generator=g)
        return x, torch.sin(4 * x + phase).sum(-1)

    return draw


if __name__ == "__main__":
    torch.manual_seed(7)
    cfg = GamConfig()
    GamTrainer(cfg).run(sampler(cfg))
