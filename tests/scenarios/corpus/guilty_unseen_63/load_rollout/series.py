"""Synthetic hourly load: daily and weekly cycles, weather-like noise."""
import math

import torch


class LoadSeries:
    def __init__(self, hours):
        t = torch.arange(hours, dtype=torch.float32)
        daily = torch.sin(2 * math.pi * t / 24)
        weekly = 0.4 * torch.cos(2 * math.pi * t / 168)
        drift = torch.cumsum(0.01 * torch.randn(hours), 0)
        self.values = daily + weekly + drift + 0.05 * torch.randn(hours)

    def sample(self, batch, context, horizon):
        last = len(self.values) - context - horizon
        starts = torch.randint(0, last, (batch,)).unsqueeze(1)
        past = self.values[starts + torch.arange(context)]
        future = self.values[starts + context + torch.arange(horizon)]
        return past, future
