from collections import defaultdict

import torch
from torch import nn


class LeakyBank:
    """Exponential traces, one entry per station."""

    def __init__(self, keep):
        self.keep = keep
        self.bank = defaultdict(lambda: {"level": None, "count": 0})

    def mix(self, station, drive):
        entry = self.bank[station]
        if entry["level"] is None:
            level = drive
        else:
            level = entry["level"] * self.keep + drive * (1 - self.keep)
        self.bank[station] = {"level": level, "count": entry["count"] + 1}  # <- culprit
        return level


class SurgeModel(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.drive = nn.Linear(inputs, width)
        self.register_buffer("mixing", torch.randn(width) / width ** 0.5)
        self.traces = LeakyBank(keep=0.8)

    def forward(self, station, x):
        level = self.traces.mix(station, self.drive(x))
        return torch.mv(level, self.mixing)
