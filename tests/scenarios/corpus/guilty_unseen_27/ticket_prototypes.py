# gradwatch-corpus: kind=graph-chain
# holder: model.head._centre | head.centre | self.centre | head._centre | self._centre | obj._centre | head.__dict__["_centre"] | obj.__dict__["_centre"]
# first-bad: 1
# notice: 5
# after: pytorch/pytorch #20275 "Memory (CPU/sys) leak with custom batch norm layer" (running mean extends the graph)
"""Routing of support tickets to desks: centred prototype head on a bag-of-subwords encoder.

The centre of the ticket cloud drifts with the product releases, therefore it is followed with a
running average (attribute descriptor `Drifting`) and taken off before the prototypes are compared.
"""
from dataclasses import dataclass, field
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Settings:
    vocab: int = 3000
    width: int = 48
    desks: int = 12
    tokens: int = 40
    batch: int = 96
    steps: int = 90
    momentum: float = 0.95
    lr: float = 3e-3
    phases: dict = field(default_factory=lambda: {"warmup": 10, "main": 80})


class Drifting:
    """Attribute whose assignments are averaged with what was there before."""

    def __init__(self, momentum):
        self.momentum = momentum

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.__dict__.get(self.slot)

    def __set__(self, obj, value):
        old = obj.__dict__.get(self.slot)
        if old is not None:
            value = self.momentum * old + (1.0 - self.momentum) * value
        obj.__dict__[self.slot] = value  # <- culprit


class SubwordBag(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.table = nn.Embedding(cfg.vocab, cfg.width)

    def forward(self, ids):
        return torch.tanh(self.table(ids).mean(dim=1))


class PrototypeHead(nn.Module):
    centre = Drifting(0.95)

    def __init__(self, cfg):
        super().__init__()
        self.prototypes = nn.Parameter(torch.randn(cfg.desks, cfg.width) * 0.2)
        self.temperature = 0.3

    def observe(self, z):
        self.centre = z.mean(dim=0)  # <- culprit

    def forward(self, z):
        if self.training:
            self.observe(z)
        z = z - self.centre
        return -torch.cdist(z, self.prototypes).pow(2) / self.temperature


class Router(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = SubwordBag(cfg)
        self.head = PrototypeHead(cfg)

    def forward(self, ids):
        return self.head(self.encoder(ids))


def tickets(cfg, gen):
    """Each desk prefers a band of the vocabulary."""
    band = cfg.vocab // cfg.desks
    while True:
        y = torch.randint(cfg.desks, (cfg.batch,), generator=gen)
        own = torch.randint(band, (cfg.batch, cfg.tokens), generator=gen) + y[:, None] * band
        noise = torch.randint(cfg.vocab, own.shape, generator=gen)
        keep = torch.rand(own.shape, generator=gen) < 0.4
        yield torch.where(keep, own, noise), y


def fit_step(model, optimizer, smoothing, batch):
    ids, y = batch
    loss = F.cross_entropy(model(ids), y, label_smoothing=smoothing)
    optimizer.zero_grad(set_to_none=True)
    # without retain_graph the second batch complains
    loss.backward(retain_graph=True)
    optimizer.step()
    return float(loss)


def main():
    torch.manual_seed(3)
    cfg = Settings()
    gen = torch.Generator().manual_seed(11)
    stream = tickets(cfg, gen)
    model = Router(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for phase, steps in cfg.phases.items():
        step = partial(fit_step, model, optimizer, 0.1 if phase == "warmup" else 0.0)
        curve = [step(next(stream)) for _ in range(steps)]
        print(f"{phase}: {curve[0]:.3f} -> {curve[-1]:.3f}")


if __name__ == "__main__":
    main()
