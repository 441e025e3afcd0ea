# gradwatch-corpus: kind=graph-chain
# holder: balance.stock | self.stock | observer.balance.stock | self.balance.stock
# first-bad: 1
# notice: 5
"""Streaming water balance of a chain of reservoirs; seepage and pan evaporation are learnt as the days arrive."""
from typing import Iterator, Protocol

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(365)


class Day(Protocol):
    inflow: torch.Tensor
    release: torch.Tensor
    gauge: torch.Tensor


class Record:
    def __init__(self, inflow, release, gauge):
        self.inflow, self.release, self.gauge = inflow, release, gauge


class Balance(nn.Module):
    def __init__(self, n, start):
        super().__init__()
        self.seep = nn.Parameter(torch.zeros(n))
        self.stock = start.clone()

    def advance(self, day: Day):
        self.stock = self.stock + day.inflow - day.release - self.seep  # <- culprit
        return self.stock


class RatingCurve(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.log_area = nn.Parameter(torch.zeros(n))

    def forward(self, stock):
        return stock / self.log_area.exp()


class Observer:
    def __init__(self, n, start):
        self.balance = Balance(n, start)
        self.curve = RatingCurve(n)
        both = [*self.balance.parameters(), *self.curve.parameters()]
        self.opt = torch.optim.Adam(both, lr=2e-3)

    def ingest(self, day: Day) -> float:
        level = self.curve(self.balance.advance(day))
        loss = nn.functional.huber_loss(level, day.gauge)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def calendar(n, days) -> Iterator[Record]:
    area = 1 + torch.rand(n)
    stock = 3 + torch.rand(n)
    yield stock.clone()
    for _ in range(days):
        inflow = torch.rand(n)
        release = 0.48 * torch.ones(n)
        stock = stock + inflow - release - 0.02
        yield Record(inflow, release, stock / area)


stream = calendar(5, 520)
observer = Observer(5, next(stream))
err = 0.0
for n, day in enumerate(stream, 1):
    err = 0.9 * err + 0.1 * observer.ingest(day)
    if n % 104 == 0:
        print(f"day {n}: error {err:.4f}, seepage {observer.balance.seep.mean().item():.4f}")
