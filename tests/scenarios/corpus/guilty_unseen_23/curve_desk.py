# gradwatch-corpus: kind=second-backward
# holder: self._discounts | self._curve._discounts | desk._curve._discounts | curve._discounts | self.discounts | self._curve.discounts
# first-bad: 81
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Protocol

import torch
from torch import Tensor, nn


class RefreshPolicy(Protocol):
    def due(self, tick: int) -> bool: ...


@dataclass(frozen=True)
class EveryTick:
    def due(self, tick: int) -> bool:
        return True


@dataclass(frozen=True)
class EveryNth:
    n: int

    def due(self, tick: int) -> bool:
        return tick % self.n == 0


@dataclass(frozen=True)
class BondBook:
    cashflows: Tensor   # bonds x dates
    prices: Tensor


class DiscountCurve(nn.Module):
    """Nelson-Siegel-like forward curve with a small correction network."""

    def __init__(self, n_dates: int) -> None:
        super().__init__()
        self.register_buffer("times", torch.linspace(0.5, 30.0, n_dates).unsqueeze(-1))
        self.levels = nn.Parameter(torch.tensor([0.02, -0.01, 0.01]))
        self.correction = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
        self.policy: RefreshPolicy = EveryTick()
        self.tick = 0
        self._discounts: Tensor | None = None

    def _zero_rates(self) -> Tensor:
        t = self.times.squeeze(-1)
        slope = (1 - torch.exp(-t / 3.0)) / (t / 3.0)
        base = self.levels[0] + self.levels[1] * slope + self.levels[2] * (slope - torch.exp(-t / 3.0))
        return base + 0.01 * self.correction(self.times / 30.0).squeeze(-1)

    @property
    def discounts(self) -> Tensor:
        if self._discounts is None or self.policy.due(self.tick):
            self._discounts = torch.exp(-self._zero_rates() * self.times.squeeze(-1))  # <- culprit
        return self._discounts

    def price(self, cashflows: Tensor) -> Tensor:
        return cashflows @ self.discounts


class Market:
    def __init__(self, n_dates: int, seed: int) -> None:
        self._gen = torch.Generator().manual_seed(seed)
        t = torch.linspace(0.5, 30.0, n_dates)
        self._truth = torch.exp(-(0.025 + 0.01 * (1 - torch.exp(-t / 5.0))) * t)
        self._n = n_dates

    def books(self, count: int, bonds: int = 120) -> Iterator[BondBook]:
        for _ in range(count):
            coupon = torch.rand(bonds, 1, generator=self._gen) * 0.06
            maturity = torch.randint(2, self._n, (bonds,), generator=self._gen)
            alive = torch.arange(self._n).unsqueeze(0) <= maturity.unsqueeze(1)
            flows = coupon * alive
            flows[torch.arange(bonds), maturity] += 1.0
            yield BondBook(flows, flows @ self._truth)


class CalibrationDesk:
    def __init__(self, curve: DiscountCurve) -> None:
        self._curve = curve
        self._opt = torch.optim.Adam(curve.parameters(), lr=2e-3)

    def intraday(self) -> None:
        self._curve.policy = EveryNth(5)  # <- culprit

    def calibrate(self, book: BondBook) -> float:
        gap = self._curve.price(book.cashflows) - book.prices
        loss = gap.square().mean()
        self._opt.zero_grad()
        loss.backward()  # <- culprit
        self._opt.step()
        self._curve.tick += 1
        return loss.item()


def main(opening: int = 80, total: int = 300) -> None:
    torch.manual_seed(2)
    desk = CalibrationDesk(DiscountCurve(n_dates=480))
    for tick, book in enumerate(Market(480, seed=3).books(total)):
        if tick == opening:
            desk.intraday()
        loss = desk.calibrate(book)
        if tick % 20 == 0:
            print(f"tick {tick:3d} squared pricing gap {loss:.6f}")


if __name__ == "__main__":
    main()
