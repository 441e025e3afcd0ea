import torch
from torch import nn


class HoltState:
    """Level and trend carried from one window of the series to the next."""

    def __init__(self, series):
        self.level = torch.zeros(series)
        self.trend = torch.zeros(series)

    def detach_(self):
        self.level = self.level.detach()  # <- culprit
        return self


class HoltSmoother(nn.Module):
    def __init__(self, series):
        super().__init__()
        self.alpha = nn.Parameter(torch.full((series,), -1.0))
        self.beta = nn.Parameter(torch.full((series,), -2.0))

    def forward(self, window, state):
        a, b = torch.sigmoid(self.alpha), torch.sigmoid(self.beta)
        preds = []
        for obs in window:
            forecast = state.level + state.trend
            preds.append(forecast)
            level = a * obs + (1 - a) * forecast
            state.trend = b * (level - state.level) + (1 - b) * state.trend  # <- culprit
            state.level = level
        return torch.stack(preds)
