"""Paper broker and a toy market."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, NamedTuple

import torch
from torch import Tensor


class Day(NamedTuple):
    features: Tensor
    returns: Tensor


class Market:
    """Momentum and mean-reversion features, returns with a little of both."""

    def __init__(self, n_assets: int, days: int, seed: int) -> None:
        g = torch.Generator().manual_seed(seed)
        noise = 0.01 * torch.randn(days + 30, n_assets, generator=g)
        for t in range(1, days + 30):
            noise[t] += 0.15 * noise[t - 1]
        self.returns = noise
        self.days = days

    def __iter__(self) -> Iterator[Day]:
        r = self.returns
        for t in range(30, 30 + self.days):
            feats = torch.stack(
                [r[t - 1], r[t - 5:t].mean(0), r[t - 20:t].mean(0), r[t - 20:t].std(0), r[t - 30:t].sum(0)],
                dim=-1,
            )
            yield Day(100.0 * feats, r[t])


@dataclass
class Broker:
    holdings: Tensor
    nav: Tensor
    fee: float

    @classmethod
    def open(cls, n_assets: int, fee: float) -> "Broker":
        return cls(torch.full((n_assets,), 1.0 / n_assets), torch.tensor(1.0), fee)

    def settle(self, target: Tensor, returns: Tensor) -> Tensor:
        """Trade to ``target``, let the day pass, return the net asset value."""
        cost = self.fee * (target - self.holdings).abs().sum()
        growth = 1.0 + (target * returns).sum() - cost
        self.nav = self.nav * growth  # <- culprit
        drifted = target.detach() * (1.0 + returns)
        self.holdings = drifted / drifted.sum()
        return self.nav
