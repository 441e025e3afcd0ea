# gradwatch-corpus: kind=graph-held
# holder: self._memo | calendar._memo | model.calendar._memo | self.calendar._memo
# first-bad: 1
"""Hour-ahead electricity load with a learned calendar embedding."""
from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Sample(NamedTuple):
    stamps: list[datetime]
    history: Tensor
    load: Tensor


@dataclass
class Settings:
    history: int = 48
    batch_hours: int = 24
    batches: int = 110
    width: int = 64
    lr: float = 2e-3
    start: datetime = datetime(2019, 1, 1)


class MemoMixin:
    """Avoids recomputation when several heads ask for the same key."""

    def memo(self, key, compute):
        store = self.__dict__.setdefault("_memo", {})
        if key not in store:
            store[key] = compute()  # <- culprit
        return store[key]


class CalendarEncoder(MemoMixin, nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(6, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())

    @staticmethod
    def phases(stamp: datetime) -> list[float]:
        day = 2 * math.pi * stamp.hour / 24
        week = 2 * math.pi * stamp.weekday() / 7
        year = 2 * math.pi * stamp.timetuple().tm_yday / 366
        return [f(a) for a in (day, week, year) for f in (math.sin, math.cos)]

    def encode(self, stamps: list[datetime]) -> Tensor:
        return self.mlp(torch.tensor([self.phases(s) for s in stamps]))

    def forward(self, stamps: list[datetime]) -> Tensor:
        key = (stamps[0], stamps[-1])
        return self.memo(key, lambda: self.encode(stamps))  # <- culprit


class LoadModel(nn.Module):
    def __init__(self, cfg: Settings) -> None:
        super().__init__()
        self.calendar = CalendarEncoder(cfg.width)
        self.lags = nn.Linear(cfg.history, cfg.width)
        self.level = nn.Linear(2 * cfg.width, 1)
        self.spread = nn.Linear(cfg.width, 1)

    def location(self, sample: Sample) -> Tensor:
        joint = torch.cat([self.calendar(sample.stamps), torch.relu(self.lags(sample.history))], dim=-1)
        return self.level(joint).squeeze(-1)

    def scale(self, sample: Sample) -> Tensor:
        return nn.functional.softplus(self.spread(self.calendar(sample.stamps))).squeeze(-1) + 1e-2


def synthetic_load(hours: int) -> Tensor:
    t = torch.arange(hours, dtype=torch.float)
    daily = torch.sin(2 * math.pi * t / 24)
    weekly = 0.4 * torch.cos(2 * math.pi * t / 168)
    return daily + weekly + 0.1 * torch.randn(hours)


def batches(cfg: Settings):
    series = synthetic_load(cfg.history + cfg.batches * cfg.batch_hours + 1)
    lagged = series.unfold(0, cfg.history, 1)
    for b in range(cfg.batches):
        lo = b * cfg.batch_hours
        hi = lo + cfg.batch_hours
        stamps = [cfg.start + timedelta(hours=h) for h in range(lo, hi)]
        yield Sample(stamps, lagged[lo:hi], series[lo + cfg.history : hi + cfg.history])


def main() -> None:
    torch.manual_seed(31)
    cfg = Settings()
    model = LoadModel(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for b, sample in enumerate(batches(cfg)):
        predictive = torch.distributions.Normal(model.location(sample), model.scale(sample))
        loss = -predictive.log_prob(sample.load).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if b % 22 == 0:
            print(f"{sample.stamps[0]:%Y-%m-%d} nll={loss.item():.3f}")


if __name__ == "__main__":
    main()
