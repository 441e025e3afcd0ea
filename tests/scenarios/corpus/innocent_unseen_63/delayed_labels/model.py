import torch
from torch import nn


class DecompLinear(nn.Module):
    """DLinear-style: one linear map for the moving average, one for the remainder."""

    def __init__(self, context, kernel=7):
        super().__init__()
        self.smooth = nn.AvgPool1d(kernel, stride=1, padding=kernel // 2, count_include_pad=False)
        self.trend = nn.Linear(context, 1)
        self.season = nn.Linear(context, 1)

    def forward(self, window):
        trend = self.smooth(window.unsqueeze(1)).squeeze(1)
        return (self.trend(trend) + self.season(window - trend)).squeeze(1)
