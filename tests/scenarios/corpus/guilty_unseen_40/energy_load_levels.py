# gradwatch-corpus: kind=graph-chain
# holder: self.level | model.level | self.model.level | self.model.component.level | self.component.level | component.level
# first-bad: 1
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class LoadConfig:
    n_zones: int = 12
    n_days: int = 140
    n_weather: int = 5
    smoothing: float = 0.3
    lr: float = 5e-3
    seed: int = 3


class Component(nn.Module):
    """A piece of the day-ahead forecast that follows the series over time."""

    def __init__(self, n_zones):
        super().__init__()
        self.n_zones = n_zones
        self.level = torch.zeros(n_zones)

    def innovate(self, day):
        raise NotImplementedError

    def advance(self, observed, day, smoothing):
        blended = torch.lerp(self.level, observed, smoothing)  # <- culprit
        self.level = blended + self.innovate(day)  # <- culprit

    def forward(self):
        return self.level  # <- culprit


class WeekdayLevel(Component):
    def __init__(self, n_zones):
        super().__init__(n_zones)
        self.drift = nn.Parameter(torch.zeros(7, n_zones))

    def innovate(self, day):
        return self.drift[day % 7]


class LoadForecaster(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.smoothing = cfg.smoothing
        self.component = WeekdayLevel(cfg.n_zones)
        self.weather = nn.Sequential(nn.Linear(cfg.n_weather, 24), nn.GELU(), nn.Linear(24, 1))

    def forward(self, temps):
        return self.component() + self.weather(temps).squeeze(-1)

    def observe(self, load, day):
        self.component.advance(load, day, self.smoothing)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = LoadForecaster(cfg)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.errors = []

    def train_day(self, day, temps, load):
        forecast = self.model(temps)
        self.model.observe(load, day)
        loss = F.mse_loss(forecast, load)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, temps, loads):
        for day in range(self.cfg.n_days):
            self.errors.append(self.train_day(day, temps[day], loads[day]))
            if (day + 1) % 28 == 0:
                recent = self.errors[-28:]
                print(f"day {day + 1:4d}  mse {sum(recent) / len(recent):.4f}")


def synthetic_loads(cfg):
    weekly = torch.tensor([0.2, 0.3, 0.3, 0.25, 0.1, -0.5, -0.6])
    days = torch.arange(cfg.n_days)
    temps = torch.randn(cfg.n_days, cfg.n_zones, cfg.n_weather)
    base = weekly[days % 7].unsqueeze(1) + torch.linspace(0.0, 1.0, cfg.n_zones)
    loads = base + 0.3 * temps[..., 0].abs() + 0.05 * torch.randn(cfg.n_days, cfg.n_zones)
    return temps, loads


if __name__ == "__main__":
    config = LoadConfig()
    torch.manual_seed(config.seed)
    Trainer(config).fit(*synthetic_loads(config))
