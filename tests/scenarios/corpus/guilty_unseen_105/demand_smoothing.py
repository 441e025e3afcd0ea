# gradwatch-corpus: kind=graph-chain
# holder: self.level | self.trend | model.level | model.trend
# first-bad: 151
# notice: 5
"""Per-shop demand forecasting with trainable Holt smoothing.

Phase one trains only one-step-ahead; phase two lets the forecasts also improve the
way in which the level and the trend are carried along.
"""
import math
import random

import torch
from torch import nn

torch.set_num_threads(1)
random.seed(11)
torch.manual_seed(11)

N_SHOPS = 16
WARMUP = 150
TOTAL = 420


def demand(day, base, slope, noise):
    season = 4.0 * math.sin(2 * math.pi * day / 7)
    return base + slope * day * 0.01 + season + noise * torch.randn(N_SHOPS)


class TrainableHolt(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.alpha_raw = nn.Parameter(torch.zeros(n))
        self.beta_raw = nn.Parameter(torch.full((n,), -2.0))
        self.week = nn.Embedding(7, n)
        nn.init.zeros_(self.week.weight)
        self.level = torch.zeros(n)
        self.trend = torch.zeros(n)

    def forecast(self, day):
        season = self.week(torch.tensor(day % 7))
        return self.level + self.trend + season

    def observe(self, y, day, through_time):
        a = torch.sigmoid(self.alpha_raw)
        b = torch.sigmoid(self.beta_raw)
        season = self.week(torch.tensor(day % 7)).detach()
        prev_level = self.level
        prev_trend = self.trend
        if not through_time:  # <- culprit
            prev_level, prev_trend = prev_level.detach(), prev_trend.detach()
        self.level = a * (y - season) + (1 - a) * (prev_level + prev_trend)  # <- culprit
        self.trend = b * (self.level - prev_level) + (1 - b) * prev_trend  # <- culprit


def main():
    base = 20 + 5 * torch.rand(N_SHOPS)
    slope = torch.randn(N_SHOPS)
    model = TrainableHolt(N_SHOPS)
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    abs_err = []

    for day in range(TOTAL):
        y = demand(day, base, slope, noise=0.6)
        pred = model.forecast(day)
        loss = nn.functional.smooth_l1_loss(pred, y)

        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()

        model.observe(y, day, through_time=day >= WARMUP)  # <- culprit
        abs_err.append((pred.detach() - y).abs().mean().item())
        if (day + 1) % 70 == 0:
            recent = sum(abs_err[-70:]) / 70
            print(f"day {day + 1:4d}  MAE(70d) {recent:.3f}  "
                  f"alpha {torch.sigmoid(model.alpha_raw).mean().item():.3f}")


if __name__ == "__main__":
    main()
