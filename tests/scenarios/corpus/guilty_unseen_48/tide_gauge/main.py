# gradwatch-corpus: kind=graph-held
# holder: self.total | meter.total | self._meters["loss"].total | self.book._meters["loss"].total | engine.book._meters['loss'].total
# first-bad: 1
"""Predict the next hours of a tide gauge from the last two days."""
import math

import torch
import torch.nn as nn

from engine import EngineConfig, ForecastEngine


def gauge_series(hours=4000):
    t = torch.arange(hours, dtype=torch.float32)
    level = (1.2 * torch.sin(2 * math.pi * t / 12.42)
             + 0.4 * torch.sin(2 * math.pi * t / 12.0 + 0.7)
             + 0.2 * torch.sin(2 * math.pi * t / 25.82))
    surge = torch.randn(hours).cumsum(0) * 0.01
    return level + surge


class Windows:
    def __init__(self, series, past=48, ahead=6):
        self.view = series.unfold(0, past + ahead, 1)
        self.past = past

    def __len__(self):
        return len(self.view)

    def sample(self, n, gen):
        rows = self.view[torch.randint(0, len(self), (n,), generator=gen)]
        return rows[:, :self.past], rows[:, self.past:]


def build(past=48, ahead=6):
    return nn.Sequential(
        nn.Unflatten(1, (1, past)),
        nn.Conv1d(1, 12, 5, padding=2), nn.SiLU(),
        nn.Conv1d(12, 12, 5, stride=2, padding=2), nn.SiLU(),
        nn.Flatten(), nn.Linear(12 * past // 2, ahead),
    )


def main():
    torch.manual_seed(5)
    cfg = EngineConfig(epochs=3, steps=35, batch=64)
    engine = ForecastEngine(build(), Windows(gauge_series()), cfg)
    for line in engine.run():
        print(line)


if __name__ == "__main__":
    main()
