# gradwatch-corpus: kind=none
"""Load forecasting with an hour-of-day report of the latest forecasts."""
import enum
from dataclasses import dataclass

import torch
from torch import nn

torch.manual_seed(5)


class DayType(enum.IntEnum):
    WORK = 0
    SATURDAY = 1
    SUNDAY = 2

    @classmethod
    def of(cls, day):
        return {5: cls.SATURDAY, 6: cls.SUNDAY}.get(day % 7, cls.WORK)


@dataclass
class Latest:
    day: int
    forecast: torch.Tensor
    loss: torch.Tensor


class Report:
    def __init__(self):
        self.cells = {}

    def put(self, hour, day, forecast, loss):
        self.cells[hour % 24, DayType.of(day)] = Latest(day, forecast, loss)

    def row(self, kind):
        picked = [c for (h, k), c in sorted(self.cells.items()) if k is kind]
        return [round(c.loss.item(), 3) for c in picked]

    def spread(self):
        if len(self.cells) < 2:
            return 0.0
        peaks = torch.stack([c.forecast.detach().max() for c in self.cells.values()])
        return peaks.std().item()


class LoadNet(nn.Module):
    def __init__(self, lags=24, width=40):
        super().__init__()
        self.hour = nn.Embedding(24, 8)
        self.kind = nn.Embedding(3, 4)
        self.net = nn.Sequential(nn.Linear(lags + 12, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, lags, hour, kind):
        n = lags.shape[0]
        h = self.hour(torch.full((n,), hour))
        k = self.kind(torch.full((n,), int(kind)))
        return self.net(torch.cat([lags, h, k], dim=1)).squeeze(1)


def load_series(stations=32, hours=24 * 40):
    t = torch.arange(hours).float()
    daily = torch.sin(2 * torch.pi * t / 24)
    weekly = 1 - 0.3 * ((t // 24) % 7 >= 5).float()
    base = torch.rand(stations, 1) + 0.5
    return base * (1.5 + daily) * weekly + 0.1 * torch.randn(stations, hours)


def main():
    series = load_series()
    net = LoadNet()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    report = Report()
    for t in range(24, 24 * 30):
        day, hour = divmod(t, 24)
        forecast = net(series[:, t - 24:t], hour, DayType.of(day))
        loss = nn.functional.smooth_l1_loss(forecast, series[:, t])
        opt.zero_grad()
        loss.backward()
        opt.step()
        report.put(hour, day, forecast, loss)
        if hour == 23 and day % 7 == 6:
            print("day", day, "sunday", report.row(DayType.SUNDAY)[:6], "spread %.3f" % report.spread())


if __name__ == "__main__":
    main()
