# gradwatch-corpus: kind=graph-chain
# holder: self.coef | self.sheet.coef | calib.sheet.coef
# first-bad: 1
"""Calibrate a smile (implied vol as a function of strike and tenor) while tuning the per-coefficient
step sizes by hypergradient: a few inner descent moves on yesterday's quotes, then the outer loss on
today's quotes is differentiated with respect to the log step sizes.
"""
import argparse
import itertools
import math
from typing import Iterator, NamedTuple

import torch


class Quotes(NamedTuple):
    strike: torch.Tensor
    tenor: torch.Tensor
    vol: torch.Tensor


def market(seed: int, size: int = 48) -> Iterator[Quotes]:
    """One sheet of quotes after the other; the surface moves a little each day."""
    g = torch.Generator().manual_seed(seed)
    for day in itertools.count():
        k = torch.rand(size, generator=g) * 0.8 - 0.4
        t = torch.rand(size, generator=g) * 2 + 0.1
        skew = -0.25 + 0.05 * math.sin(day / 17)
        vol = 0.2 + skew * k + 0.4 * k * k + 0.03 * torch.log(t)
        yield Quotes(k, t, vol + 0.004 * torch.randn(size, generator=g))


class Sheet:
    """Coefficients of the smile.  They are moved by hand, not by an optimizer."""
    DEGREE = 6

    def __init__(self):
        self.coef = torch.zeros(self.DEGREE, requires_grad=True)

    @staticmethod
    def design(q: Quotes) -> torch.Tensor:
        k, lt = q.strike, torch.log(q.tenor)
        return torch.stack([torch.ones_like(k), k, k * k, lt, k * lt, k ** 3], dim=1)

    def misfit(self, q: Quotes) -> torch.Tensor:
        return (self.design(q) @ self.coef - q.vol).square().mean()

    def move(self, by: torch.Tensor) -> None:
        self.coef = self.coef - by

    def rebase(self) -> None:
        """The coming unroll starts from where we are now."""
        self.coef = self.coef.clone().requires_grad_(True)  # <- culprit


class Ratchet(torch.nn.Module):
    """Holds the log step sizes."""

    def __init__(self, width: int, start: float = 0.05):
        super().__init__()
        self.log_rate = torch.nn.Parameter(torch.full((width,), math.log(start)))

    def forward(self, slope):
        return self.log_rate.exp() * slope


class Calibration:
    def __init__(self, args):
        self.sheet = Sheet()
        self.ratchet = Ratchet(Sheet.DEGREE)
        self.meta = torch.optim.Adam(self.ratchet.parameters(), lr=args.meta_lr)
        self.inner = args.inner

    def unroll(self, q: Quotes):
        self.sheet.rebase()
        for _ in range(self.inner):
            slope, = torch.autograd.grad(self.sheet.misfit(q), [self.sheet.coef], create_graph=True)
            self.sheet.move(self.ratchet(slope))

    def day(self, past: Quotes, now: Quotes) -> float:
        self.unroll(past)
        outer = self.sheet.misfit(now)
        self.meta.zero_grad()
        outer.backward(retain_graph=True)    # second derivatives are needed here
        self.meta.step()
        return outer.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--days", type=int, default=300)
    ap.add_argument("--inner", type=int, default=2)
    ap.add_argument("--meta-lr", type=float, default=0.01)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    calib = Calibration(args)
    feed = market(args.seed)
    past = next(feed)
    for day in range(args.days):
        now = next(feed)
        rmse = math.sqrt(calib.day(past, now))
        past = now
        if day % 60 == 0:
            rates = " ".join(f"{r:.3f}" for r in calib.ratchet.log_rate.detach().exp().tolist())
            print(f"day {day:3d}  rmse {rmse:.4f}  rates {rates}")
    print("last rmse", round(rmse, 5))


if __name__ == "__main__":
    main()
