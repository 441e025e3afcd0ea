# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | term.anchor | anchor | self.terms[1][1].anchor
# first-bad: 1
"""Matrix factorisation of readers and books, with a term against drift of the readers."""
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

TERMS = {}


def term(name):
    def deco(cls):
        TERMS[name] = cls
        return cls
    return deco


@dataclass
class FitConfig:
    readers: int = 240
    books: int = 400
    dim: int = 16
    steps: int = 90
    batch: int = 128
    lr: float = 0.02
    retain_graph: bool = True
    terms: dict = field(default_factory=lambda: {"shrink": 1e-3, "drift": 0.5})

    def __post_init__(self):
        unknown = set(self.terms) - set(TERMS)
        if unknown:
            raise KeyError(f"unknown terms {sorted(unknown)}")


class Term(ABC):
    @abstractmethod
    def __call__(self, readers, books):
        ...


@term("shrink")
class Shrink(Term):
    def __call__(self, readers, books):
        return readers.pow(2).mean() + books.pow(2).mean()


@term("drift")
class Drift(Term):
    """Keeps the mean reader of a batch near the running mean of all batches."""

    def __init__(self, keep=0.9):
        self.keep = keep
        self.anchor = None

    def _advance(self, centre):
        if self.anchor is None:
            self.anchor = torch.zeros_like(centre)
        self.anchor = self.keep * self.anchor + (1 - self.keep) * centre  # <- culprit
        return self.anchor

    def __call__(self, readers, books):
        centre = readers.mean(0)
        return F.mse_loss(centre, self._advance(centre), reduction="sum")  # <- culprit


class Factors(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.reader = nn.Embedding(cfg.readers, cfg.dim)
        self.book = nn.Embedding(cfg.books, cfg.dim)
        for table in (self.reader, self.book):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, r, b):
        u, v = self.reader(r), self.book(b)
        return (u * v).sum(1), u, v


class ClubTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = Factors(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.terms = [(w, TERMS[name]()) for name, w in cfg.terms.items()]
        self.taste = torch.randn(cfg.readers, 4), torch.randn(cfg.books, 4)

    def ratings(self):
        for _ in range(self.cfg.steps):
            r = torch.randint(0, self.cfg.readers, (self.cfg.batch,))
            b = torch.randint(0, self.cfg.books, (self.cfg.batch,))
            yield r, b, (self.taste[0][r] * self.taste[1][b]).sum(1) / 2

    def total(self, fit, u, v):
        return fit + sum(w * t(u, v) for w, t in self.terms)

    def run(self):
        for i, (r, b, score) in enumerate(self.ratings()):
            pred, u, v = self.net(r, b)
            fit = F.mse_loss(pred, score)
            loss = self.total(fit, u, v)
            self.opt.zero_grad()
            loss.backward(retain_graph=self.cfg.retain_graph)
            self.opt.step()
            if i % 18 == 0:
                print(f"step {i:3d} fit {fit.item():.4f} loss {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(17)
    ClubTrainer(FitConfig()).run()
