import torch
from torch import nn

from registry import register


class LocalTrend(nn.Module):
    """Level that grows by the slope each week and is corrected by the surprise."""

    def __init__(self, depots, gain):
        super().__init__()
        self.slope = nn.Parameter(torch.zeros(depots))
        self.gain = gain
        self.level = torch.ones(depots)

    def forward(self):
        self.level = self.level + self.slope  # <- culprit
        return self.level

    def absorb(self, surprise):
        self.level = self.level + self.gain * surprise  # <- culprit


@register("model", "holt_net")
class HoltNet(nn.Module):
    def __init__(self, depots, features, hidden, gain):
        super().__init__()
        self.trend = LocalTrend(depots, gain)
        self.calendar = nn.Sequential(
            nn.Linear(features, hidden),
            nn.Tanh(),
            nn.Linear(hidden, depots),
        )

    def forward(self, features):
        return self.trend() + self.calendar(features)

    @torch.no_grad()
    def surprise(self, forecast, volume):
        return volume - forecast

    def correct(self, forecast, volume):
        self.trend.absorb(self.surprise(forecast, volume))
