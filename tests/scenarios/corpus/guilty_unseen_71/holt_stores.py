# gradwatch-corpus: kind=graph-chain
# holder: level | track
# first-bad: 1
# notice: 5
"""Day-by-day demand forecasts for a chain of stores: a Holt-like local level,
a learnt weekday profile and promotion lift, fitted online."""
import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn


class StoreModel(nn.Module):
    """Everything is per store; the level itself is tracked outside."""

    def __init__(self, stores):
        super().__init__()
        self.level0 = nn.Parameter(torch.full((stores,), 3.0))
        self.trend = nn.Parameter(torch.zeros(stores))
        self.weekday = nn.Parameter(torch.zeros(7, stores))
        self.promo = nn.Parameter(torch.zeros(stores))

    def forward(self, level, day, on_promo):
        return level + self.weekday[day % 7] + self.promo * on_promo


def level_track(model, gain):
    """Coroutine: yields the level for the day, takes the day's surprise."""
    level = model.level0
    while True:
        surprise = yield level
        level = level + model.trend + gain * surprise  # <- culprit


def sales(stores, days, seed):
    gen = torch.Generator().manual_seed(seed)
    base = 3.0 + torch.rand(stores, generator=gen)
    slope = 0.004 * torch.randn(stores, generator=gen)
    lift = 0.3 + 0.4 * torch.rand(stores, generator=gen)
    for day in range(days):
        promo = (torch.rand(stores, generator=gen) < 0.15).float()
        season = 0.35 * math.sin(2 * math.pi * (day % 7) / 7)
        noise = 0.08 * torch.randn(stores, generator=gen)
        yield day, promo, base + slope * day + season + lift * promo + noise


class Scoreboard:
    def __init__(self):
        self.abs_err, self.n = 0.0, 0

    def add(self, err):
        self.abs_err += err.abs().mean().item()
        self.n += 1

    def flush(self):
        out = self.abs_err / max(self.n, 1)
        self.abs_err, self.n = 0.0, 0
        return out


def fit(args):
    model = StoreModel(args.stores)
    opt = torch.optim.Adam([
        {"params": [model.weekday, model.promo], "lr": 0.03},
        {"params": [model.level0], "lr": 0.01},
        {"params": [model.trend], "lr": 2e-4},
    ])
    board = Scoreboard()
    track = level_track(model, args.gain)
    level = next(track)
    for day, promo, y in sales(args.stores, args.days, args.seed):
        forecast = model(level, day, promo)
        loss = F.smooth_l1_loss(forecast, y, beta=0.5)
        opt.zero_grad()
        loss.backward()
        opt.step()
        err = y - forecast.detach()
        board.add(err)
        level = track.send(err)  # <- culprit
        if day % 28 == 27:
            print(f"day {day + 1:3d}  MAE(log units) {board.flush():.4f}")
    track.close()
    return model


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--stores", type=int, default=12)
    ap.add_argument("--days", type=int, default=168)
    ap.add_argument("--gain", type=float, default=0.25)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    model = fit(args)
    print("promo lift:", [round(v, 2) for v in model.promo.tolist()[:6]])
