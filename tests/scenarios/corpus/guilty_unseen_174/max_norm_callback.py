# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Train a small text-tag model with max-norm constrained weights, through a callback trainer."""
import argparse
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn import functional as F

CALLBACKS = {}


def callback(cls):
    CALLBACKS[cls.__name__] = cls
    return cls


@dataclass
class TagConfig:
    vocab: int = 300
    dim: int = 16
    hidden: int = 32
    tags: int = 6
    length: int = 12
    batch: int = 32
    steps: int = 420
    lr: float = 5e-3
    callbacks: list = field(default_factory=lambda: [
        ("MaxNorm", {"limit": 0.9, "every": 20, "start": 20}),
        ("Progress", {"every": 60}),
    ])


class Callback:
    def before_forward(self, run):
        pass

    def after_loss(self, run):
        pass

    def after_step(self, run):
        pass


class ConstraintBase(Callback):
    def __init__(self, every, start):
        self.every, self.start = every, start

    def project(self, weight):
        raise NotImplementedError

    def after_loss(self, run):
        if run.step < self.start or run.step % self.every:
            return
        for module in run.model.modules():
            if isinstance(module, nn.Linear):
                self.project(module.weight)  # <- culprit


@callback
class MaxNorm(ConstraintBase):
    def __init__(self, limit, every, start=0):
        super().__init__(every, start)
        self.limit = limit

    @torch.no_grad()
    def project(self, weight):
        norms = weight.norm(dim=1, keepdim=True)
        weight.mul_((self.limit / norms.clamp_min(1e-8)).clamp(max=1.0))  # <- culprit


@callback
class Progress(Callback):
    def __init__(self, every):
        self.every = every

    def after_step(self, run):
        if run.step % self.every == 0:
            print(f"step {run.step}: loss {run.loss.item():.4f}")


class BagTagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.EmbeddingBag(cfg.vocab, cfg.dim, mode="mean")
        self.hidden = nn.Linear(cfg.dim, cfg.hidden)
        self.out = nn.Linear(cfg.hidden, cfg.tags)

    def forward(self, tokens):
        return self.out(F.relu(self.hidden(self.embed(tokens))))


class Run:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = BagTagger(cfg)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.callbacks = [CALLBACKS[name](**kw) for name, kw in cfg.callbacks]
        self.step = 0
        self.loss = None

    def fire(self, name):
        for cb in self.callbacks:
            getattr(cb, name)(self)

    def batch(self):
        tags = torch.randint(self.cfg.tags, (self.cfg.batch,))
        tokens = torch.randint(self.cfg.vocab, (self.cfg.batch, self.cfg.length))
        own = tokens % self.cfg.tags == tags[:, None]
        return torch.where(own | (torch.rand(tokens.shape) < 0.6), tokens, tags[:, None]), tags

    def train(self):
        for self.step in range(self.cfg.steps):
            tokens, tags = self.batch()
            self.fire("before_forward")
            self.loss = F.cross_entropy(self.model(tokens), tags)
            self.fire("after_loss")
            self.opt.zero_grad()
            self.loss.backward()
            self.opt.step()
            self.fire("after_step")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=420)
    cfg = TagConfig(steps=parser.parse_args().steps)
    torch.manual_seed(31)
    Run(cfg).train()


if __name__ == "__main__":
    main()
