# gradwatch-corpus: kind=graph-chain
# holder: self.total | self.objective.total | objective.total | engine.objective.total
# first-bad: 1
"""Listwise ranking with a linear scorer on precomputed query-document features."""
import dataclasses
from abc import ABC
from abc import abstractmethod
from typing import Callable
from typing import Dict

import torch
from torch import nn
from torch.nn import functional as F

LOSSES: Dict[str, Callable] = {}


def register_loss(name):
    def wrap(fn):
        LOSSES[name] = fn
        return fn
    return wrap


@register_loss("listnet")
def listnet(scores, gains):
    target = F.softmax(gains, dim=-1)
    return -(target * F.log_softmax(scores, dim=-1)).sum(-1).mean()


@dataclasses.dataclass
class RankConfig:
    loss: str = "listnet"
    docs: int = 20
    feats: int = 30
    queries: int = 16
    iterations: int = 100
    lr: float = 0.02
    log_every: int = 20


class Objective(ABC):
    @abstractmethod
    def push(self, value):
        ...

    @abstractmethod
    def apply(self):
        ...


class WeightedObjective(Objective):
    """Folds the micro-losses of one update into a single scalar."""

    def __init__(self, scale=1.0):
        self.scale = scale
        self.total = torch.zeros(())
        self.count = 0

    def push(self, value):
        self.total = self.total + self.scale * value  # <- culprit
        self.count += 1

    def apply(self):
        mean = self.total / self.count
        mean.backward(retain_graph=True)  # <- culprit
        return mean.item()


class QuerySource:
    def __init__(self, cfg, seed):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.truth = torch.randn(cfg.feats, generator=self.gen)

    def sample(self):
        shape = (self.cfg.queries, self.cfg.docs, self.cfg.feats)
        feats = torch.randn(shape, generator=self.gen)
        gains = feats @ self.truth
        gains = gains + 0.3 * torch.randn(gains.shape, generator=self.gen)
        return feats, gains


class RankEngine:
    def __init__(self, cfg: RankConfig):
        self.cfg = cfg
        self.scorer = nn.Linear(cfg.feats, 1, bias=False)
        self.source = QuerySource(cfg, seed=21)
        self.objective = WeightedObjective()
        self.optimizer = torch.optim.SGD(self.scorer.parameters(), lr=cfg.lr, momentum=0.8)
        self.criterion = LOSSES[cfg.loss]

    def update(self):
        feats, gains = self.source.sample()
        self.optimizer.zero_grad()
        scores = self.scorer(feats).squeeze(-1)
        loss = self.criterion(scores, gains)
        self.objective.push(loss)  # <- culprit
        value = self.objective.apply()
        self.optimizer.step()
        return value

    @torch.no_grad()
    def top1(self):
        feats, gains = self.source.sample()
        best = self.scorer(feats).squeeze(-1).argmax(-1)
        return (best == gains.argmax(-1)).float().mean().item()


def main():
    torch.manual_seed(0)
    engine = RankEngine(RankConfig())
    for it in range(engine.cfg.iterations):
        value = engine.update()
        if (it + 1) % engine.cfg.log_every == 0:
            print(f"iter {it + 1} listnet {value:.4f} top1 {engine.top1():.3f}")


if __name__ == "__main__":
    main()
