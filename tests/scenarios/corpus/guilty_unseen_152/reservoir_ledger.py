# gradwatch-corpus: kind=graph-held
# holder: self.ledger.residual | task.ledger.residual | ledger.residual
# first-bad: 1
"""Calibrates a small rainfall-runoff network with a soft water balance term."""
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn


@dataclass
class CalibConfig:
    basins: int = 24
    days: int = 30
    hidden: int = 16
    lr: float = 5e-3
    balance_weight: float = 0.05
    iterations: int = 90
    seed: int = 7


@dataclass
class WaterLedger:
    steps: int = 0
    rain_total: float = 0.0
    residual: object = 0.0

    def summary(self):
        return f"rain {self.rain_total:9.1f}  mean residual {float(self.residual) / max(self.steps, 1):+.4f}"


@dataclass
class Batch:
    rain: torch.Tensor
    evap: torch.Tensor
    flow: torch.Tensor


class ForcingSource:
    def __init__(self, cfg):
        self.cfg = cfg
        self.rng = np.random.default_rng(cfg.seed)

    def draw(self):
        shape = (self.cfg.basins, self.cfg.days)
        rain = self.rng.gamma(0.6, 4.0, shape).astype(np.float32)
        evap = self.rng.uniform(0.2, 1.2, shape).astype(np.float32)
        flow = np.maximum(0.6 * rain - 0.3 * evap, 0.0)
        return Batch(*(torch.from_numpy(a.astype(np.float32)) for a in (rain, evap, flow)))


class BasinTask:
    """What every basin model has in common: the ledger and the balance term."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.ledger = WaterLedger()

    def balance_term(self, pred, batch):
        gap = (batch.rain.sum(1) - batch.evap.sum(1) - pred.sum(1)).mean() / self.cfg.days
        self.ledger.steps += 1
        self.ledger.rain_total += float(batch.rain.sum())
        self.ledger.residual = self.ledger.residual + gap  # <- culprit
        return gap.abs()

    def predict(self, batch):
        raise NotImplementedError

    def loss(self, batch):
        pred = self.predict(batch)
        fit = nn.functional.smooth_l1_loss(pred, batch.flow)
        return fit + self.cfg.balance_weight * self.balance_term(pred, batch)


class RunoffNet(BasinTask):
    def __init__(self, cfg):
        super().__init__(cfg)
        self.net = nn.Sequential(nn.Linear(2, cfg.hidden), nn.Tanh(), nn.Linear(cfg.hidden, 1), nn.Softplus())

    def predict(self, batch):
        return self.net(torch.stack([batch.rain, batch.evap], dim=-1)).squeeze(-1)


def calibrate(cfg):
    torch.manual_seed(cfg.seed)
    torch.set_num_threads(1)
    task = RunoffNet(cfg)
    source = ForcingSource(cfg)
    optimizer = torch.optim.Adam(task.net.parameters(), lr=cfg.lr)
    for it in range(cfg.iterations):
        optimizer.zero_grad()
        loss = task.loss(source.draw())
        loss.backward()
        optimizer.step()
        if it % 30 == 29:
            print(f"{it + 1:3d}  loss {loss.item():.4f}  {task.ledger.summary()}")


if __name__ == "__main__":
    calibrate(CalibConfig())
