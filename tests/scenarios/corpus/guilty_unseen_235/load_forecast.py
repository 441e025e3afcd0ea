# gradwatch-corpus: kind=graph-chain
# holder: self.cumulative | learner.cumulative
# first-bad: 1
"""Day-ahead load forecaster on random Fourier features (follow the regularised leader)."""
from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class ForecastConfig:
    lags: int = 48
    horizon: int = 24
    n_features: int = 256
    sites: int = 40
    days: int = 100
    lr: float = 0.02
    ridge: float = 1e-4
    quantile: float = 0.6


class FeatureMap(ABC):
    @abstractmethod
    def __call__(self, window: Tensor) -> Tensor: ...


class RandomFourier(FeatureMap):
    def __init__(self, lags: int, n_features: int, scale: float = 0.3) -> None:
        self.freq = torch.randn(lags, n_features) * scale / math.sqrt(lags)
        self.phase = 2 * math.pi * torch.rand(n_features)

    def __call__(self, window: Tensor) -> Tensor:
        return math.sqrt(2.0 / self.phase.numel()) * torch.cos(window @ self.freq + self.phase)


class LoadSeries:
    def __init__(self, cfg: ForecastConfig) -> None:
        self.cfg = cfg
        hours = torch.arange((cfg.days + 4) * 24, dtype=torch.float32)
        amp = 0.5 + torch.rand(cfg.sites, 1)
        shift = 4 * torch.rand(cfg.sites, 1)
        daily = torch.sin(2 * math.pi * (hours + shift) / 24)
        weekly = 0.3 * torch.cos(2 * math.pi * hours / 168)
        self.values = amp * daily + weekly + 0.1 * torch.randn(cfg.sites, hours.numel())

    def day(self, index: int) -> tuple[Tensor, Tensor]:
        start = index * 24
        mid = start + self.cfg.lags
        return self.values[:, start:mid], self.values[:, mid:mid + self.cfg.horizon]


def pinball(pred: Tensor, target: Tensor, q: float) -> Tensor:
    diff = target - pred
    return torch.maximum(q * diff, (q - 1) * diff).mean()


class OnlineLearner:
    def __init__(self, cfg: ForecastConfig, features: FeatureMap) -> None:
        self.cfg = cfg
        self.features = features
        self.readout = nn.Linear(cfg.n_features, cfg.horizon)
        self.optim = torch.optim.Adam(self.readout.parameters(), lr=cfg.lr)
        self.cumulative: Tensor = torch.zeros(())
        self.seen = 0

    def observe(self, window: Tensor, target: Tensor) -> float:
        pred = self.readout(self.features(window))
        regret = pinball(pred, target, self.cfg.quantile)
        self.seen += 1
        self.cumulative = self.cumulative + regret  # <- culprit
        objective = self.cumulative / self.seen
        objective = objective + self.cfg.ridge * sum(p.abs().sum() for p in self.readout.parameters())
        self.optim.zero_grad()
        objective.backward(retain_graph=True)  # <- culprit
        self.optim.step()
        return regret.item()


def main() -> None:
    torch.manual_seed(29)
    cfg = ForecastConfig()
    series = LoadSeries(cfg)
    learner = OnlineLearner(cfg, RandomFourier(cfg.lags, cfg.n_features))
    recent: list[float] = []
    for day in range(cfg.days):
        window, target = series.day(day)
        recent.append(learner.observe(window, target))
        if day % 14 == 13:
            print(f"day {day:3d}  pinball {sum(recent) / len(recent):.4f}")
            recent.clear()


if __name__ == "__main__":
    main()
