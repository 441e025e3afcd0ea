# gradwatch-corpus: kind=second-backward
# holder: self.carry | forecaster.carry | desk.forecaster.carry | model.carry
# first-bad: 1
"""Rolling quantile forecasts of district heating demand for a set of substations."""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Iterator, Optional

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class DemandConfig:
    substations: int = 16
    weather: int = 5
    hidden: int = 24
    window_h: int = 12
    windows: int = 80
    quantiles: tuple[float, ...] = (0.1, 0.5, 0.9)
    lr: float = 5e-3


class PinballLoss(nn.Module):
    def __init__(self, quantiles: tuple[float, ...]) -> None:
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))

    def forward(self, pred: Tensor, target: Tensor) -> Tensor:
        err = target.unsqueeze(-1) - pred
        return torch.maximum(self.q * err, (self.q - 1) * err).mean()


class DemandForecaster(nn.Module):
    def __init__(self, cfg: DemandConfig) -> None:
        super().__init__()
        self.cfg = cfg
        self.rnn = nn.LSTM(cfg.weather + 1, cfg.hidden)
        self.readout = nn.Linear(cfg.hidden, len(cfg.quantiles))
        self.carry: Optional[tuple[Tensor, Tensor]] = None

    def reset(self) -> None:
        self.carry = None

    def forward(self, weather: Tensor, lagged: Tensor) -> Tensor:
        x = torch.cat([weather, lagged.unsqueeze(-1)], dim=-1)
        out, (h, c) = self.rnn(x, self.carry)
        self.carry = (h.detach(), c)  # <- culprit
        return self.readout(out)


class Season:
    def __init__(self, cfg: DemandConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.sens = torch.randn(cfg.substations, cfg.weather, generator=self.gen) * 0.5
        self.last = torch.zeros(1, cfg.substations)

    def windows(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        t0 = 0
        for _ in range(self.cfg.windows):
            hours = torch.arange(t0, t0 + self.cfg.window_h).float()
            weather = torch.randn(self.cfg.window_h, self.cfg.substations, self.cfg.weather, generator=self.gen)
            rhythm = torch.sin(hours * 0.2618).unsqueeze(1)
            demand = (weather * self.sens).sum(-1) + rhythm
            lagged = torch.cat([self.last, demand[:-1]])
            self.last = demand[-1:]
            t0 += self.cfg.window_h
            yield weather, lagged, demand


@contextmanager
def training_mode(model: nn.Module):
    was = model.training
    model.train()
    try:
        yield model
    finally:
        model.train(was)


class ForecastDesk:
    def __init__(self, cfg: DemandConfig) -> None:
        self.cfg = cfg
        self.forecaster = DemandForecaster(cfg)
        self.criterion = PinballLoss(cfg.quantiles)
        self.opt = torch.optim.Adam(self.forecaster.parameters(), lr=cfg.lr)
        self.coverage: list[float] = []

    def run(self, season: Season) -> None:
        self.forecaster.reset()
        with training_mode(self.forecaster) as model:
            for k, (weather, lagged, demand) in enumerate(season.windows()):
                bands = model(weather, lagged)
                loss = self.criterion(bands, demand)
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                self.opt.step()
                inside = (demand >= bands[..., 0]) & (demand <= bands[..., -1])
                self.coverage.append(inside.float().mean().item())
                if k % 10 == 0:
                    print(f"window {k}: pinball {loss.item():.4f} coverage {self.coverage[-1]:.2f}")


if __name__ == "__main__":
    torch.manual_seed(610)
    config = DemandConfig()
    desk = ForecastDesk(config)
    desk.run(Season(config, seed=611))
