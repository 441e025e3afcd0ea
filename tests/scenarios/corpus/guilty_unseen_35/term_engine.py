# gradwatch-corpus: kind=retain-needless
# first-bad: 0
from dataclasses import dataclass, field
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class BackwardPolicy:
    keep_graph: bool = False
    clip: float = 1.0


@dataclass
class Config:
    steps: int = 90
    batch: int = 64
    lr: float = 3e-3
    aux_weight: float = 0.3
    backward: BackwardPolicy = field(default_factory=lambda: BackwardPolicy(keep_graph=True))  # <- culprit


class Engine:
    """Owns the optimizer; loss terms are registered by name and summed."""

    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.terms = {}
        self.optimizer = torch.optim.NAdam(model.parameters(), lr=cfg.lr)
        self._backward = partial(torch.autograd.backward, retain_graph=cfg.backward.keep_graph)  # <- culprit

    def term(self, name, weight=1.0):
        def register(fn):
            self.terms[name] = (weight, fn)
            return fn
        return register

    def step(self, batch):
        out = self.model(batch["x"])
        parts = {name: weight * fn(out, batch) for name, (weight, fn) in self.terms.items()}
        total = torch.stack(list(parts.values())).sum()
        self.optimizer.zero_grad()
        self._backward(total)  # <- culprit
        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.backward.clip)
        self.optimizer.step()
        return {name: value.item() for name, value in parts.items()}


class AutoClassifier(nn.Module):
    def __init__(self, d, hidden, classes):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, hidden), nn.ReLU())
        self.cls = nn.Linear(hidden, classes)
        self.dec = nn.Linear(hidden, d)

    def forward(self, x):
        h = self.enc(x)
        return {"logits": self.cls(h), "rebuilt": self.dec(h)}


def batches(cfg, d, classes):
    g = torch.Generator().manual_seed(19)
    means = torch.randn(classes, d, generator=g)
    for _ in range(cfg.steps):
        y = torch.randint(classes, (cfg.batch,), generator=g)
        yield {"x": means[y] + torch.randn(cfg.batch, d, generator=g), "y": y}


def main(cfg=Config()):
    torch.manual_seed(18)
    engine = Engine(AutoClassifier(24, 40, 7), cfg)

    @engine.term("class")
    def class_loss(out, batch):
        return F.cross_entropy(out["logits"], batch["y"])

    @engine.term("rebuild", weight=cfg.aux_weight)
    def rebuild_loss(out, batch):
        return F.mse_loss(out["rebuilt"], batch["x"])

    for i, batch in enumerate(batches(cfg, 24, 7)):
        parts = engine.step(batch)
        if i % 30 == 29:
            print(i + 1, {k: round(v, 4) for k, v in parts.items()})


if __name__ == "__main__":
    main()
