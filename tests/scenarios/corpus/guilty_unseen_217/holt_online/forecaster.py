from typing import NamedTuple

import torch
from torch import nn


class HoltState(NamedTuple):
    level: torch.Tensor
    trend: torch.Tensor


class StatefulMixin:
    state = None

    def reset_state(self):
        self.state = None


class HoltSmoother(StatefulMixin, nn.Module):
    def __init__(self, stations):
        super().__init__()
        self.raw_alpha = nn.Parameter(torch.zeros(stations))
        self.raw_beta = nn.Parameter(torch.full((stations,), -2.0))

    def initial(self, y):
        return HoltState(y.clone(), torch.zeros_like(y))

    def predict(self):
        return self.state.level + self.state.trend

    def update(self, y):
        alpha, beta = torch.sigmoid(self.raw_alpha), torch.sigmoid(self.raw_beta)
        prev = self.state  # <- culprit
        level = alpha * y + (1 - alpha) * (prev.level + prev.trend)
        trend = beta * (level - prev.level) + (1 - beta) * prev.trend
        self.state = HoltState(level, trend)  # <- culprit


class SeasonalForecaster(nn.Module):
    def __init__(self, stations, period, hidden):
        super().__init__()
        self.period = period
        self.smoother = HoltSmoother(stations)
        self.season = nn.Embedding(period, stations)
        nn.init.zeros_(self.season.weight)

    def forward(self, t, y):
        if self.smoother.state is None:
            self.smoother.state = self.smoother.initial(y)
        season = self.season(torch.tensor(t % self.period))
        forecast = self.smoother.predict() + season
        self.smoother.update(y - season)
        return forecast
