# gradwatch-corpus: kind=graph-chain
# holder: self.level | model.level | self.value | DriftModel.__dict__["level"].value | DriftModel.level.value
# first-bad: 1
import math

import torch
from torch import nn


class Carried:
    """A value that outlives the step; one per model class, for all of its methods."""

    def __init__(self):
        self.value = None

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner=None):
        return self if obj is None else self.value

    def __set__(self, obj, value):
        self.value = value  # <- culprit


class DriftModel(nn.Module):
    """Level + seasonal pattern; the level moves by a learned drift every period."""

    level = Carried()

    def __init__(self, n_series, period=12):
        super().__init__()
        self.drift = nn.Parameter(torch.zeros(n_series))
        self.season = nn.Embedding(period, n_series)
        self.mix = nn.Linear(n_series, n_series, bias=False)
        nn.init.eye_(self.mix.weight)
        nn.init.zeros_(self.season.weight)
        self.period = period

    def start(self, first):
        self.level = first.clone()

    def forward(self, t):
        self.level = self.level + self.drift  # <- culprit
        pattern = self.season(torch.tensor(t % self.period))
        return self.level + self.mix(pattern)


class Sales:
    def __init__(self, n_series=10, periods=121, seed=6):
        g = torch.Generator().manual_seed(seed)
        slope = 0.05 * torch.randn(n_series, generator=g)
        amp = torch.rand(n_series, generator=g)
        t = torch.arange(periods).unsqueeze(1)
        self.table = slope * t + amp * torch.sin(2 * math.pi * t / 12)
        self.table += 0.02 * torch.randn(periods, n_series, generator=g)

    def __iter__(self):
        return enumerate(self.table[1:], start=1)

    @property
    def first(self):
        return self.table[0]


def fit():
    torch.manual_seed(0)
    sales = Sales()
    model = DriftModel(n_series=10)
    model.start(sales.first)
    opt = torch.optim.Adam([
        {"params": [model.drift], "lr": 2e-3},
        {"params": [*model.season.parameters(), *model.mix.parameters()], "lr": 2e-2},
    ])
    errors = []
    for t, actual in sales:
        forecast = model(t)
        loss = nn.functional.huber_loss(forecast, actual)
        opt.zero_grad()
        loss.backward()
        opt.step()
        errors.append((forecast.detach() - actual).abs().mean().item())
        if t % 24 == 0:
            print(f"period {t:3d}  mae over the last year {sum(errors[-12:]) / 12:.4f}")
    print("drift:", [round(v, 3) for v in model.drift.tolist()])


if __name__ == "__main__":
    fit()
