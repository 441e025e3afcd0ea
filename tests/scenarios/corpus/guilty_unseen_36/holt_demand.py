# gradwatch-corpus: kind=graph-chain
# holder: self.state | model.state | self.state.level | self.state.trend | model.state.level | model.state.trend | state | new | level | trend
# first-bad: 1
"""Damped Holt forecaster for a panel of shops, fitted online week by week."""
import argparse
from typing import NamedTuple, Optional

import torch
from torch import nn

torch.set_num_threads(1)


class HoltState(NamedTuple):
    level: torch.Tensor
    trend: torch.Tensor


class SmoothingMixin:
    """Keeps the running level and trend of every series between windows."""

    state: Optional[HoltState] = None

    def begin(self, first):
        self.state = HoltState(first.clone(), torch.zeros_like(first))

    def advance(self, window):
        alpha, beta, phi = (torch.sigmoid(p) for p in (self.alpha, self.beta, self.phi))
        level, trend = self.state
        preds = []
        for y in window.unbind(1):
            guess = level + phi * trend
            preds.append(guess)
            new_level = alpha * y + (1 - alpha) * guess
            trend = beta * (new_level - level) + (1 - beta) * phi * trend
            level = new_level
        self.state = HoltState(level, trend)  # <- culprit
        return torch.stack(preds, 1)


class DampedHolt(SmoothingMixin, nn.Module):
    def __init__(self, n_series):
        super().__init__()
        self.alpha = nn.Parameter(torch.zeros(n_series))
        self.beta = nn.Parameter(torch.full((n_series,), -1.0))
        self.phi = nn.Parameter(torch.full((n_series,), 2.0))

    def forward(self, window):
        return self.advance(window)


def panel(n_series, n_weeks, seed=3):
    g = torch.Generator().manual_seed(seed)
    slope = torch.randn(n_series, 1, generator=g) * 0.05
    t = torch.arange(n_weeks).float()
    season = 0.6 * torch.sin(2 * torch.pi * t / 13.0)
    noise = 0.3 * torch.randn(n_series, n_weeks, generator=g)
    return 10 + slope * t + season + noise


def windows(series, width):
    for start in range(0, series.shape[1] - width + 1, width):
        yield start, series[:, start:start + width]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--shops", type=int, default=40)
    ap.add_argument("--weeks", type=int, default=320)
    ap.add_argument("--width", type=int, default=4)
    ap.add_argument("--lr", type=float, default=0.02)
    args = ap.parse_args()

    data = panel(args.shops, args.weeks)
    model = DampedHolt(args.shops)
    model.begin(data[:, 0])
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)

    smooth = None
    for start, w in windows(data, args.width):
        opt.zero_grad()
        loss = nn.functional.smooth_l1_loss(model(w), w)
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        v = loss.item()
        smooth = v if smooth is None else 0.9 * smooth + 0.1 * v
        if start % 80 == 0:
            print(f"week {start:4d}  huber {v:.4f}  smoothed {smooth:.4f}")
    with torch.no_grad():
        print("alpha mean", torch.sigmoid(model.alpha).mean().item())


if __name__ == "__main__":
    main()
