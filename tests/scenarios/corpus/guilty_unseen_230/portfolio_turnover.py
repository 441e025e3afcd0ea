# gradwatch-corpus: kind=graph-chain
# holder: book.positions | self.book.positions | self.positions | trader.book.positions
# first-bad: 1
"""Online portfolio allocation with proportional transaction costs."""
from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from functools import partial
from typing import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

CostFn = Callable[[Tensor, Tensor], Tensor]
COSTS: dict[str, Callable[..., Tensor]] = {}


def register_cost(name: str):
    def wrap(fn):
        COSTS[name] = fn
        return fn

    return wrap


@register_cost("smooth_l1")
def smooth_turnover(new: Tensor, old: Tensor, *, bps: float) -> Tensor:
    return bps * 1e-4 * F.smooth_l1_loss(new, old, reduction="sum", beta=0.01)


@register_cost("quadratic")
def quadratic_impact(new: Tensor, old: Tensor, *, bps: float) -> Tensor:
    return bps * 1e-4 * (new - old).square().sum()


@dataclass
class Book:
    positions: Tensor
    wealth: float = 1.0


class LinearAllocator(nn.Module):
    def __init__(self, lookback: int, assets: int) -> None:
        super().__init__()
        self.score = nn.Linear(lookback * assets, assets)

    def forward(self, window: Tensor, inertia: Tensor) -> Tensor:
        logits = self.score(window.flatten())
        return F.softmax(logits, dim=-1) * 0.7 + inertia * 0.3


@contextlib.contextmanager
def timed(label: str):
    start = time.perf_counter()
    yield
    print(f"{label}: {time.perf_counter() - start:.2f}s")


class OnlineTrader:
    def __init__(self, lookback: int, assets: int, cost: CostFn, lr: float = 0.02) -> None:
        self.allocator = LinearAllocator(lookback, assets)
        self.optimizer = torch.optim.SGD(self.allocator.parameters(), lr=lr, momentum=0.5)
        self.cost = cost
        self.book = Book(torch.full((assets,), 1.0 / assets))

    def trade(self, window: Tensor, realised: Tensor) -> dict[str, float]:
        book = self.book
        target = self.allocator(window, book.positions)
        gross = torch.dot(target, realised)
        fee = self.cost(target, book.positions)
        objective = -torch.log1p(gross) + fee
        self.optimizer.zero_grad()
        objective.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        net = gross.item() - fee.item()
        book.wealth *= 1.0 + net
        book.positions = target  # <- culprit
        return {"net": net, "fee": fee.item(), "wealth": book.wealth}


def simulate_returns(days: int, assets: int, seed: int) -> Tensor:
    g = torch.Generator().manual_seed(seed)
    market = 0.005 * torch.randn(days, 1, generator=g)
    idio = 0.01 * torch.randn(days, assets, generator=g)
    tilt = torch.linspace(-1e-3, 1e-3, assets)
    return market + idio + tilt


def main(days: int = 130, assets: int = 20, lookback: int = 15) -> None:
    torch.manual_seed(5)
    returns = simulate_returns(days + lookback, assets, seed=5)
    trader = OnlineTrader(lookback, assets, partial(COSTS["smooth_l1"], bps=10.0))
    with timed("backtest"):
        for day in range(days):
            window = returns[day : day + lookback] * 50
            stats = trader.trade(window, returns[day + lookback])
            if day % 26 == 0:
                print(f"day {day}: " + ", ".join(f"{k}={v:.5f}" for k, v in stats.items()))


if __name__ == "__main__":
    main()
