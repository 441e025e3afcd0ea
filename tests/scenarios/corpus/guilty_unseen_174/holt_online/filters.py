"""Trainable exponential smoothers that run over a stream of observations."""
import torch
from torch import nn


class StreamFilter(nn.Module):
    """Keeps named components between calls; subclasses say how they move."""

    components = ()

    def __init__(self, series):
        super().__init__()
        self.memory = {name: torch.zeros(series) for name in self.components}

    def forecast(self):
        raise NotImplementedError

    def advance(self, y, predicted):
        raise NotImplementedError

    def forward(self, y):
        predicted = self.forecast()
        self.memory.update(self.advance(y, predicted))  # <- culprit
        return predicted


class HoltFilter(StreamFilter):
    components = ("level", "trend")

    def __init__(self, series):
        super().__init__(series)
        self.alpha = nn.Parameter(torch.full((series,), -1.0))
        self.gamma = nn.Parameter(torch.full((series,), -3.0))

    def forecast(self):
        return self.memory["level"] + self.memory["trend"]

    def advance(self, y, predicted):
        err = y - predicted
        a, g = torch.sigmoid(self.alpha), torch.sigmoid(self.gamma)
        return {
            "level": predicted + a * err,
            "trend": self.memory["trend"] + g * err,
        }
