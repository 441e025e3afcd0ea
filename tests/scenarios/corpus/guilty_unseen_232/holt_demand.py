# gradwatch-corpus: kind=graph-chain
# holder: self.level | self.trend | smoother.level | smoother.trend | model.smoother.level | model.smoother.trend | self.smoother.level
# first-bad: 1
"""Weekly demand model for the replenishment team: learned Holt smoothing with calendar effects."""
import math

import torch
from torch import nn

SKUS = 32
WEEKS = 100


class HoltSmoother(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.raw_alpha = nn.Parameter(torch.full((n,), -0.5))
        self.raw_beta = nn.Parameter(torch.full((n,), -2.0))
        self.level = None
        self.trend = None

    def start(self, first):
        self.level = first.clone()
        self.trend = torch.zeros_like(first)

    def predict(self):
        return self.level + self.trend

    def observe(self, y):
        alpha = torch.sigmoid(self.raw_alpha)
        beta = torch.sigmoid(self.raw_beta)
        prev = self.level
        level = alpha * y + (1 - alpha) * (self.level + self.trend)
        trend = beta * (level - prev) + (1 - beta) * self.trend
        self.level = level  # <- culprit
        self.trend = trend  # <- culprit


class DemandModel(nn.Module):
    def __init__(self, n, calendar_dim):
        super().__init__()
        self.smoother = HoltSmoother(n)
        self.calendar = nn.Linear(calendar_dim, n)

    def forward(self, cal):
        return self.smoother.predict() + self.calendar(cal)


class Calendar:
    def __init__(self):
        self.freqs = (1, 2, 4)

    def features(self, week):
        vals = []
        for f in self.freqs:
            ang = 2 * math.pi * f * week / 52.0
            vals.append(math.sin(ang))
            vals.append(math.cos(ang))
        return torch.tensor(vals)


def make_series():
    g = torch.Generator().manual_seed(8)
    base = torch.rand(SKUS, generator=g) * 4 + 2
    slope = torch.randn(SKUS, generator=g) * 0.02
    phase = torch.rand(SKUS, generator=g) * 6
    weeks = torch.arange(WEEKS + 1).float().unsqueeze(1)
    season = torch.sin(2 * math.pi * weeks / 52.0 + phase)
    noise = 0.2 * torch.randn(WEEKS + 1, SKUS, generator=g)
    return base + slope * weeks + season + noise


def pinball(pred, y, q=0.6):
    diff = y - pred
    return torch.maximum(q * diff, (q - 1) * diff).mean()


def main():
    torch.manual_seed(0)
    series = make_series()
    calendar = Calendar()
    model = DemandModel(SKUS, 6)
    model.smoother.start(series[0])
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    abs_err = 0.0
    for week in range(WEEKS):
        y = series[week + 1]
        pred = model(calendar.features(week + 1))
        loss = pinball(pred, y)
        model.smoother.observe(y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        abs_err += (pred.detach() - y).abs().mean().item()
        if week % 25 == 24:
            print(f"week {week + 1:3d}  pinball {loss.item():.4f}  mae {abs_err / (week + 1):.4f}")


if __name__ == "__main__":
    main()
