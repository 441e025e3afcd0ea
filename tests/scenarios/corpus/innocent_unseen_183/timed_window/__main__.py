# gradwatch-corpus: kind=none
"""Load forecasting from lagged meter readings; metrics over the last seconds of simulated time."""
import torch
from torch import nn

from .clock import SimClock
from .config import Config
from .window import SlidingWindow


def meter_series(n, gen):
    t = torch.arange(n, dtype=torch.float32)
    daily = torch.sin(2 * torch.pi * t / 24)
    weekly = 0.4 * torch.sin(2 * torch.pi * t / 168)
    return daily + weekly + 0.1 * torch.randn(n, generator=gen)


class Forecaster(nn.Module):
    def __init__(self, lags):
        super().__init__()
        self.trend = nn.Linear(lags, 1)
        self.resid = nn.Sequential(nn.Linear(lags, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return (self.trend(x) + self.resid(x)).squeeze(1)


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    series = meter_series(4000, gen)
    windows = series.unfold(0, cfg.lags + 1, 1)
    model = Forecaster(cfg.lags)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    clock = SimClock(cfg.seconds_per_step)
    mae = SlidingWindow(clock, cfg.horizon_seconds)
    bias = SlidingWindow(clock, cfg.horizon_seconds / 2)
    for step in range(cfg.steps):
        clock.advance()
        rows = windows[torch.randint(len(windows), (32,), generator=gen)]
        err = model(rows[:, :-1]) - rows[:, -1]
        loss = err.abs().mean() + 0.1 * err.mean().abs()
        opt.zero_grad()
        loss.backward()
        opt.step()
        mae.add(loss)
        bias.add(err.mean())
        if step % 88 == 87:
            print(f"t={clock.now:6.2f}s n={len(mae)} mae {mae.mean():.4f} bias {bias.mean():+.4f}")


if __name__ == "__main__":
    main()
