# gradwatch-corpus: kind=graph-chain
# holder: smoother.level | smoother.trend | smoother.season | self.level | self.trend | self.season | smoother.season[h] | self.season[h] | level | trend
# first-bad: 1
# notice: 5
"""Online Holt-Winters with learnable smoothing coefficients.

Electricity load for a handful of substations arrives a day at a time; after each
day the coefficients get one gradient step on the one-ahead error.
"""
import argparse
import math

import torch

HOURS = 2      # readings a day (night, day)


class Smoother:
    def __init__(self, n_series):
        z = lambda v: torch.full((n_series,), v, requires_grad=True)
        self.raw_alpha, self.raw_beta, self.raw_gamma = z(-1.0), z(-2.0), z(-1.5)
        self.level = torch.zeros(n_series)
        self.trend = torch.zeros(n_series)
        self.season = [torch.zeros(n_series) for _ in range(HOURS)]

    def parameters(self):
        return [self.raw_alpha, self.raw_beta, self.raw_gamma]

    def run_day(self, day):
        a, b, g = (torch.sigmoid(r) for r in self.parameters())
        level, trend = self.level, self.trend
        errors = []
        for h in range(HOURS):
            s = self.season[h]
            forecast = level + trend + s
            err = day[h] - forecast
            errors.append(err)
            new_level = level + trend + a * err
            trend = trend + a * b * err
            self.season[h] = s + g * (1 - a) * err  # <- culprit
            level = new_level
        self.level, self.trend = level, trend  # <- culprit
        return torch.stack(errors)


def synthetic_day(t, n, gen):
    hours = torch.arange(HOURS).float().unsqueeze(1)
    phase = torch.linspace(0, math.pi, n)
    shape = 2.0 * torch.sin(2 * math.pi * hours / HOURS + phase)
    drift = 0.02 * t + 0.5 * math.sin(t / 20)
    return 10 + drift + shape + 0.3 * torch.randn(HOURS, n, generator=gen)


def huber(e, delta=1.0):
    return torch.nn.functional.huber_loss(e, torch.zeros_like(e), delta=delta)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--days", type=int, default=122)
    ap.add_argument("--stations", type=int, default=5)
    ap.add_argument("--lr", type=float, default=0.02)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(99)
    smoother = Smoother(args.stations)
    opt = torch.optim.Adam(smoother.parameters(), lr=args.lr)

    mae = []
    for t in range(args.days):
        day = synthetic_day(t, args.stations, gen)
        err = smoother.run_day(day)
        loss = huber(err)
        opt.zero_grad()
        # the same states are needed by tomorrow's forecast
        loss.backward(retain_graph=True)
        opt.step()
        mae.append(err.detach().abs().mean().item())
        if t % 20 == 0:
            alpha = torch.sigmoid(smoother.raw_alpha.detach()).mean().item()
            print(f"day {t:3d}  mae {mae[-1]:.3f}  alpha {alpha:.3f}")
    print("last-20 mae", sum(mae[-20:]) / 20)


if __name__ == "__main__":
    main()
