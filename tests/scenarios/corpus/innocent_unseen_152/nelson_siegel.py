# gradwatch-corpus: kind=none
"""Daily Nelson-Siegel fits with L-BFGS, each started from the day before and tied to it."""
from dataclasses import dataclass
from typing import Optional

import numpy as np
import torch
from torch import nn


@dataclass
class CurveQuote:
    day: int
    tenors: torch.Tensor
    yields: torch.Tensor


class NelsonSiegel(nn.Module):
    def __init__(self):
        super().__init__()
        self.beta = nn.Parameter(torch.tensor([3.0, -1.0, 0.5]))
        self.log_tau = nn.Parameter(torch.tensor(0.7))

    def forward(self, tenors):
        x = tenors / self.log_tau.exp()
        slope = (1 - torch.exp(-x)) / x
        return self.beta[0] + self.beta[1] * slope + self.beta[2] * (slope - torch.exp(-x))


def quotes(days, seed=160):
    rng = np.random.default_rng(seed)
    tenors = np.array([0.25, 0.5, 1, 2, 3, 5, 7, 10, 20, 30])
    level, slope, hump = 4.0, -1.5, 0.8
    for day in range(days):
        level, slope, hump = (v + 0.05 * rng.normal() for v in (level, slope, hump))
        x = tenors / 2.2
        f = (1 - np.exp(-x)) / x
        y = level + slope * f + hump * (f - np.exp(-x)) + 0.01 * rng.normal(size=len(tenors))
        yield CurveQuote(day, torch.tensor(tenors, dtype=torch.float32), torch.tensor(y, dtype=torch.float32))


class DailyFit:
    def __init__(self, tie=0.01):
        self.curve = NelsonSiegel()
        self.tie = tie
        self.previous: Optional[torch.Tensor] = None
        self.table = []
        self.evaluations = 0

    def objective(self, quote):
        loss = nn.functional.mse_loss(self.curve(quote.tenors), quote.yields)
        if self.previous is not None:
            loss = loss + self.tie * (self.curve.beta - self.previous).pow(2).sum()
        return loss

    def fit(self, quote):
        optimizer = torch.optim.LBFGS(self.curve.parameters(), lr=0.5, max_iter=4, history_size=5)

        def closure():
            optimizer.zero_grad()
            loss = self.objective(quote)
            loss.backward()
            self.evaluations += 1
            return loss

        first = optimizer.step(closure)
        self.previous = self.curve.beta.detach().clone()
        self.table.append((quote.day, first.item(), *self.previous.tolist()))


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(160)
    daily = DailyFit()
    for quote in quotes(70):
        daily.fit(quote)
        if quote.day % 14 == 13:
            day, loss, *beta = daily.table[-1]
            print(f"day {day + 1:2d}  first loss {loss:.5f}  beta {[round(b, 3) for b in beta]}")
    print("closure evaluations", daily.evaluations)
