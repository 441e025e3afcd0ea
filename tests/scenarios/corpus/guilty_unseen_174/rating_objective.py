# gradwatch-corpus: kind=graph-chain
# holder: objective.level | self.level | trainer.objective.level | self.objective.level
# first-bad: 1
"""Matrix factorisation of a synthetic rating table, trained on a bias-corrected smoothed objective."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class FitConfig:
    users: int = 200
    items: int = 120
    rank: int = 12
    batch: int = 64
    steps: int = 420
    lr: float = 0.05
    beta: float = 0.6
    reg: float = 1e-3
    seed: int = 11


class RatingTable:
    def __init__(self, cfg):
        g = torch.Generator().manual_seed(cfg.seed)
        u = torch.randn(cfg.users, 4, generator=g)
        v = torch.randn(cfg.items, 4, generator=g)
        self.scores = u @ v.T + 0.1 * torch.randn(cfg.users, cfg.items, generator=g)
        self.cfg = cfg
        self.g = g

    def sample(self):
        u = torch.randint(self.cfg.users, (self.cfg.batch,), generator=self.g)
        i = torch.randint(self.cfg.items, (self.cfg.batch,), generator=self.g)
        return u, i, self.scores[u, i]


class Factors(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.user = nn.Embedding(cfg.users, cfg.rank)
        self.item = nn.Embedding(cfg.items, cfg.rank)
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.3)

    def forward(self, u, i):
        p, q = self.user(u), self.item(i)
        return (p * q).sum(-1), p.pow(2).mean() + q.pow(2).mean()


class SmoothedObjective:
    """Exponential smoothing with the usual correction for the zero start."""

    def __init__(self, beta):
        self.beta = beta
        self.level = 0.0
        self.count = 0

    def raw(self, *args):
        raise NotImplementedError

    def __call__(self, *args):
        self.count += 1
        self.level = self.beta * self.level + (1 - self.beta) * self.raw(*args)  # <- culprit
        return self.level / (1 - self.beta ** self.count)


class RidgeObjective(SmoothedObjective):
    def __init__(self, beta, reg):
        super().__init__(beta)
        self.reg = reg

    def raw(self, pred, target, penalty):
        return (pred - target).pow(2).mean() + self.reg * penalty


class Printer:
    def __init__(self, every):
        self.every = every

    def on_step(self, step, value):
        if step % self.every == 0:
            print(f"step {step:4d}  objective {value:.4f}")


class Trainer:
    def __init__(self, model, objective, cfg, callbacks=()):
        self.model = model
        self.objective = objective
        self.cfg = cfg
        self.callbacks = list(callbacks)
        self.opt = torch.optim.Adagrad(model.parameters(), lr=cfg.lr)

    def fit(self, table):
        for step in range(self.cfg.steps):
            u, i, r = table.sample()
            pred, penalty = self.model(u, i)
            loss = self.objective(pred, r, penalty)
            self.opt.zero_grad()
            loss.backward(retain_graph=True)
            self.opt.step()
            for cb in self.callbacks:
                cb.on_step(step, loss.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=420)
    cfg = FitConfig(steps=parser.parse_args().steps)
    torch.manual_seed(cfg.seed)
    trainer = Trainer(Factors(cfg), RidgeObjective(cfg.beta, cfg.reg), cfg, [Printer(60)])
    trainer.fit(RatingTable(cfg))


if __name__ == "__main__":
    main()
