# gradwatch-corpus: kind=graph-chain
# holder: levels._cells | self._cells[slot] | self._cells | levels[hour]
# first-bad: 12
# notice: 26
"""Load forecasting: smoothed level per hour of the day plus learned hourly corrections."""
import math

import torch
from torch import nn

HOURS = 12


class LevelTable:
    """Exponentially smoothed value per slot; index wraps."""

    def __init__(self, slots, keep):
        self.keep = keep
        self._cells = [torch.zeros(()) for _ in range(slots)]

    def __getitem__(self, t):
        return self._cells[t % len(self._cells)]

    def __setitem__(self, t, value):
        slot = t % len(self._cells)
        self._cells[slot] = self._cells[slot].add(value - self._cells[slot], alpha=1 - self.keep)  # <- culprit

    def snapshot(self):
        return [round(c.item(), 3) for c in self._cells]


class Corrections(nn.Module):
    def __init__(self, hours):
        super().__init__()
        self.hourly = nn.ParameterList([nn.Parameter(torch.zeros(())) for _ in range(hours)])
        self.trend = nn.Parameter(torch.zeros(()))

    def forward(self, t):
        return self.hourly[t % len(self.hourly)] + self.trend


class LoadSeries:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def observe(self, t):
        base = 1.0 + 0.6 * math.sin(2 * math.pi * t / HOURS) + 0.2 * math.cos(4 * math.pi * t / HOURS)
        return base + 0.1 * torch.randn(8, generator=self.gen)


def main(steps=720):
    torch.manual_seed(103)
    series = LoadSeries(seed=9)
    net = Corrections(HOURS)
    opt = torch.optim.SGD(net.parameters(), lr=0.03)
    levels = LevelTable(HOURS, keep=0.8)
    running = 0.0
    for t in range(steps):
        y = series.observe(t)
        levels[t] = y.mean() - 0.5 * (y.max() - y.min()) + net(t)
        forecast = levels[t] + net(t)
        err = y - forecast
        loss = err.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += 0.05 * (loss.item() - running)
        if t % 120 == 119:
            print(f"t={t + 1} loss {running:.4f} trend {net.trend.item():+.3f} levels {levels.snapshot()[:3]}")


if __name__ == "__main__":
    main()
