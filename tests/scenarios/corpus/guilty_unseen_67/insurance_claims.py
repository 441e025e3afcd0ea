# gradwatch-corpus: kind=graph-held
# holder: METERS["deviance"].total | self.total | meter.total
# first-bad: 1
# notice: 8
"""Claim frequency for motor insurance: Poisson regression with a neural offset."""
from __future__ import annotations

import functools
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)


@dataclass
class Meter:
    name: str
    total: float = 0.0
    weight: float = 0.0

    def add(self, value, weight=1.0):
        self.total += value * weight  # <- culprit
        self.weight += weight

    def mean(self):
        return self.total / self.weight if self.weight else float("nan")

    def __format__(self, spec):
        return f"{self.name}={self.mean():{spec or '.4f'}}"


METERS: dict[str, Meter] = {}


def metered(name, weigh=lambda *a: 1.0):
    """Keep a weighted mean of what the function returns."""
    meter = METERS.setdefault(name, Meter(name))

    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            result = fn(*args, **kwargs)
            meter.add(result, weigh(*args))  # <- culprit
            return result
        return inner
    return wrap


class Portfolio:
    """Policies with exposure, drawn afresh for each month."""

    def __init__(self, n_regions=6, n_covariates=5):
        self.region_effect = torch.randn(n_regions) * 0.4
        self.beta = torch.randn(n_covariates) * 0.3
        self.n_regions, self.n_covariates = n_regions, n_covariates

    def month(self, size):
        region = torch.randint(self.n_regions, (size,))
        x = torch.randn(size, self.n_covariates)
        exposure = torch.rand(size) * 0.9 + 0.1
        rate = torch.exp(x @ self.beta + self.region_effect[region] - 1.0)
        return region, x, exposure, torch.poisson(rate * exposure)


class FrequencyNet(nn.Module):
    def __init__(self, n_regions=6, n_covariates=5, width=20):
        super().__init__()
        self.region = nn.Embedding(n_regions, 4)
        self.mlp = nn.Sequential(
            nn.Linear(n_covariates + 4, width), nn.ELU(), nn.Linear(width, 1)
        )

    def forward(self, region, x):
        return self.mlp(torch.cat((x, self.region(region)), 1)).squeeze(1)


@metered("deviance", weigh=lambda log_rate, exposure, claims: float(exposure.sum()))
def poisson_deviance(log_rate, exposure, claims):
    mu = exposure * log_rate.exp()
    ratio = torch.where(claims > 0, claims * (claims.clamp(min=1) / mu).log(), torch.zeros_like(mu))
    return 2 * (ratio - (claims - mu)).mean()


def train(months=150, size=96):
    book, net = Portfolio(), FrequencyNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3, weight_decay=1e-4)
    for month in range(months):
        region, x, exposure, claims = book.month(size)
        deviance = poisson_deviance(net(region, x), exposure, claims)
        opt.zero_grad()
        deviance.backward()
        opt.step()
        if month % 30 == 29:
            print(f"month {month + 1}: {METERS['deviance']:.3f}")
    return net


if __name__ == "__main__":
    net = train()
    with torch.no_grad():
        base = net(torch.arange(6), torch.zeros(6, 5)).exp()
    print("base rates by region:", [round(v, 3) for v in base.tolist()])
