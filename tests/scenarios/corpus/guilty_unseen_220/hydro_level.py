# gradwatch-corpus: kind=graph-chain
# holder: filt.level | self.level | self.filt.level | model.filt.level
# first-bad: 1
"""Online structural model of reservoir levels: level + trend + nonlinear readout."""
import math

import torch
from torch import nn


def make_gauges(n_gauges, horizon, seed):
    g = torch.Generator().manual_seed(seed)
    slope = torch.randn(n_gauges, generator=g) * 0.01
    phase = torch.rand(n_gauges, generator=g) * 2 * math.pi
    t = torch.arange(horizon).float()[:, None]
    season = 0.4 * torch.sin(2 * math.pi * t / 24 + phase)
    noise = torch.randn(horizon, n_gauges, generator=g) * 0.05
    return slope * t + season + noise


class SeasonalHead(nn.Module):
    def __init__(self, n_gauges, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, hidden),
            nn.GELU(),
            nn.Linear(hidden, n_gauges),
        )

    def forward(self, t):
        angle = 2 * math.pi * t / 24
        feats = torch.tensor([math.sin(angle), math.cos(angle)])
        return self.net(feats)


class LevelFilter(nn.Module):
    def __init__(self, n_gauges):
        super().__init__()
        self.trend = nn.Parameter(torch.zeros(n_gauges))
        self.offset = nn.Parameter(torch.zeros(n_gauges))
        self.level = torch.zeros(n_gauges)

    def advance(self):
        self.level = self.level + self.trend  # <- culprit
        return self.level + self.offset


class OnlineForecaster:
    def __init__(self, n_gauges, lr=2e-3):
        self.filt = LevelFilter(n_gauges)
        self.head = SeasonalHead(n_gauges, 256)
        groups = [
            {"params": self.filt.parameters(), "lr": lr / 20},
            {"params": self.head.parameters(), "lr": lr},
        ]
        self.optim = torch.optim.RMSprop(groups)
        self.errors = []

    def observe(self, t, reading):
        forecast = self.filt.advance() + self.head(t)
        loss = torch.nn.functional.huber_loss(forecast, reading, delta=0.5)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.errors.append((forecast.detach() - reading).abs().mean().item())
        return self.errors[-1]


def rolling(values, width):
    chunk = values[-width:]
    return sum(chunk) / len(chunk)


def main():
    torch.manual_seed(8)
    series = make_gauges(n_gauges=400, horizon=190, seed=8)
    model = OnlineForecaster(series.shape[1])
    for t, reading in enumerate(series):
        model.observe(t, reading)
        if t % 38 == 37:
            print(f"hour {t + 1:3d} mae {rolling(model.errors, 24):.4f}")
    drift = model.filt.trend.detach()
    print(f"trend mean {drift.mean():+.4f} std {drift.std():.4f}")


if __name__ == "__main__":
    main()
