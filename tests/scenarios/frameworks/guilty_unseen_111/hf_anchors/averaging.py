import torch
from torch import nn


class SlowAverage(nn.Module):
    """Exponential average of a parameter table."""

    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.slow = None

    def forward(self, table):
        if self.slow is None:
            self.slow = table.clone()  # <- culprit
        elif self.training:
            self.slow = torch.lerp(self.slow, table, self.rate)  # <- culprit
        return self.slow
