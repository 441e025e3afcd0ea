# gradwatch-corpus: kind=graph-held
# holder: total | self.meters["loss"]
# first-bad: 1
"""Bond spread regression with running averages kept by small coroutines."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass(frozen=True)
class Config:
    features: int = 12
    batch: int = 48
    steps: int = 100
    lr: float = 3e-3
    report_every: int = 25


def weighted_mean():
    """Coroutine: send (value, weight), receive the mean so far."""
    total, mass = 0.0, 0.0
    mean = float("nan")
    while True:
        value, weight = yield mean
        total = total + value * weight  # <- culprit
        mass += weight
        mean = float(total) / mass


def start(coroutine):
    next(coroutine)
    return coroutine


class SpreadModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 1)
        self.bump = nn.Sequential(nn.Linear(features, 24), nn.SiLU(), nn.Dropout(0.1), nn.Linear(24, 1))

    def forward(self, x):
        return (self.linear(x) + self.bump(x)).squeeze(-1)


class Market:
    def __init__(self, cfg, seed=21):
        self.cfg = cfg
        self.rng = np.random.default_rng(seed)
        self.beta = self.rng.normal(size=cfg.features)

    def __iter__(self):
        for _ in range(self.cfg.steps):
            size = int(self.rng.integers(self.cfg.batch // 2, self.cfg.batch))
            x = self.rng.normal(size=(size, self.cfg.features))
            y = x @ self.beta * 0.3 + 0.2 * np.tanh(x[:, 0] * x[:, 1]) + 0.05 * self.rng.standard_t(4, size)
            yield torch.as_tensor(x, dtype=torch.float32), torch.as_tensor(y, dtype=torch.float32)


class Fit:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = SpreadModel(cfg.features)
        self.optimizer = torch.optim.SGD(self.model.parameters(), cfg.lr, momentum=0.9)
        self.meters = {name: start(weighted_mean()) for name in ("loss", "abs_error")}

    def step(self, x, y):
        pred = self.model(x)
        loss = nn.functional.huber_loss(pred, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return {
            "loss": self.meters["loss"].send((loss, len(y))),  # <- culprit
            "abs_error": self.meters["abs_error"].send(((pred.detach() - y).abs().mean(), len(y))),
        }

    def run(self, market):
        for i, (x, y) in enumerate(market, 1):
            shown = self.step(x, y)
            if i % self.cfg.report_every == 0:
                print(i, {k: round(v, 4) for k, v in shown.items()})


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(21)
    config = Config()
    Fit(config).run(Market(config))
