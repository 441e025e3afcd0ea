# gradwatch-corpus: kind=graph-chain
# holder: self.state | runner.state | self.state.level | runner.state.level | state | carry
# first-bad: 1
"""Online exponential smoothing for store/SKU demand, smoothing constants learned by SGD."""
import argparse
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class SmoothState:
    level: torch.Tensor
    trend: torch.Tensor
    season: list

    @classmethod
    def from_first_window(cls, y, period):
        level = y[:, :period].mean(1)
        season = [y[:, i] - level for i in range(period)]
        return cls(level, torch.zeros_like(level), season)


class DampedHolt(nn.Module):
    def __init__(self, n_series, period):
        super().__init__()
        self.period = period
        self.a = nn.Parameter(torch.full((n_series,), -1.0))
        self.b = nn.Parameter(torch.full((n_series,), -2.5))
        self.g = nn.Parameter(torch.full((n_series,), -1.5))
        self.phi = nn.Parameter(torch.full((n_series,), 2.0))

    def forward(self, y, carry):
        alpha, beta = torch.sigmoid(self.a), torch.sigmoid(self.b)
        gamma, phi = torch.sigmoid(self.g), torch.sigmoid(self.phi)
        level, trend, season = carry.level, carry.trend, list(carry.season)  # <- culprit
        preds = []
        for t in range(y.size(1)):
            s = season.pop(0)
            damped = phi * trend
            preds.append(level + damped + s)
            obs = y[:, t]
            new_level = alpha * (obs - s) + (1 - alpha) * (level + damped)
            trend = beta * (new_level - level) + (1 - beta) * damped
            season.append(gamma * (obs - new_level) + (1 - gamma) * s)
            level = new_level
        return torch.stack(preds, 1), SmoothState(level, trend, season)  # <- culprit


def pinball(pred, y, q):
    e = y - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


class OnlineRunner:
    def __init__(self, model, first, args):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=args.lr)
        self.state = SmoothState.from_first_window(first, model.period)
        self.quantiles = (0.4, 0.6)

    def consume(self, window):
        preds, state = self.model(window, self.state)  # <- culprit
        terms = [pinball(preds, window, q) for q in self.quantiles]
        self.opt.zero_grad()
        # one backward per quantile, they share the recursion
        for term in terms:
            term.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.state = state  # <- culprit
        return sum(t.item() for t in terms)


def synth(n_series, n_steps, period):
    t = torch.arange(n_steps).float()
    amp = 1 + torch.rand(n_series, 1)
    base = 5 + 3 * torch.rand(n_series, 1)
    y = base + 0.01 * t + amp * torch.sin(2 * math.pi * t / period)
    return y + 0.2 * torch.randn(n_series, n_steps)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--series", type=int, default=24)
    ap.add_argument("--period", type=int, default=7)
    ap.add_argument("--weeks", type=int, default=90)
    ap.add_argument("--lr", type=float, default=0.02)
    args = ap.parse_args()
    torch.manual_seed(11)
    torch.set_num_threads(1)
    y = synth(args.series, args.period * (args.weeks + 1), args.period)
    runner = OnlineRunner(DampedHolt(args.series, args.period), y[:, : args.period], args)
    for week in range(args.weeks):
        lo = args.period * (week + 1)
        loss = runner.consume(y[:, lo: lo + args.period])
        if week % 15 == 0:
            print(f"week {week:3d} pinball {loss:.4f}")


if __name__ == "__main__":
    main()
