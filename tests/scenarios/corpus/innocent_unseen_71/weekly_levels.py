# gradwatch-corpus: kind=none
"""Local-level sales forecasts with learnt smoothing, trained week by week."""
import argparse
import math
from functools import partial

import torch
from torch import nn


class Smoother(nn.Module):
    def __init__(self, shops):
        super().__init__()
        self.alpha = nn.Parameter(torch.full((shops,), -1.0))
        self.drift = nn.Parameter(torch.zeros(shops))
        self.profile = nn.Parameter(torch.zeros(7, shops))
        self.context = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def expected(self, level, day, extras):
        return level + self.profile[day % 7] + self.context(extras).squeeze(-1)


def follow(model, start):
    """Yields the level; is sent (day's error, whether a new week begins)."""
    level = start
    while True:
        error, new_week = yield level
        level = level + model.drift + torch.sigmoid(model.alpha) * error
        if new_week:
            level = level.detach()


def days(shops, gen):
    base = 2.0 + torch.rand(shops, generator=gen)
    day = 0
    while True:
        extras = torch.rand(shops, 2, generator=gen)
        base = base + 0.03 * torch.randn(shops, generator=gen)
        wave = 0.3 * math.sin(day * 2 * math.pi / 7)
        y = base + wave + 0.5 * extras[:, 0] - 0.3 * extras[:, 1]
        yield day, extras, y + 0.05 * torch.randn(shops, generator=gen)
        day += 1


def run_week(stream, track, level, model, criterion):
    total = 0.0
    for k in range(7):
        day, extras, y = next(stream)
        forecast = model.expected(level, day, extras)
        total = total + criterion(forecast, y)
        if k < 6:
            level = track.send((y - forecast, False))
    return total / 7, y - forecast


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weeks", type=int, default=180)
    ap.add_argument("--shops", type=int, default=10)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = Smoother(args.shops)
    opt = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    criterion = partial(nn.functional.huber_loss, delta=0.3)
    stream = days(args.shops, torch.Generator().manual_seed(3))
    track = follow(model, torch.full((args.shops,), 2.5))
    level = next(track)
    smooth = None
    for week in range(args.weeks):
        loss, last_error = run_week(stream, track, level, model, criterion)
        opt.zero_grad()
        loss.backward()
        opt.step()
        level = track.send((last_error, True))
        smooth = loss.detach() if smooth is None else 0.9 * smooth + 0.1 * loss.detach()
        if week % 30 == 29:
            print(f"week {week + 1:3d} huber {smooth.item():.5f} alpha {torch.sigmoid(model.alpha).mean().item():.3f}")


if __name__ == "__main__":
    main()
