# gradwatch-corpus: kind=graph-chain
# holder: self.balance | ledger.balance | self.ledger.balance | pricer.ledger.balance | overrun
# first-bad: 1
"""Adapts reserve prices per ad segment; a ledger keeps the running deviation from the contracted price plan."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Market:
    segments: int = 48
    bidders: int = 12
    auctions: int = 64


@dataclass
class PlanLedger:
    """Signed deviation from plan, per segment.  A positive balance means we have been too dear so far."""

    plan: Tensor
    balance: Tensor = field(init=False)

    def __post_init__(self) -> None:
        self.balance = torch.zeros_like(self.plan)

    def post(self, price: Tensor) -> Tensor:
        self.balance = self.balance + (price - self.plan)  # <- culprit
        return self.balance


async def auctions(market: Market, n: int) -> AsyncIterator[Tensor]:
    worth = torch.rand(market.segments) + 0.5
    for _ in range(n):
        bids = worth[:, None, None] * torch.rand(market.segments, market.auctions, market.bidders)
        await asyncio.sleep(0)
        yield bids.topk(2, dim=-1).values


class ReservePricer:
    def __init__(self, market: Market, ledger: PlanLedger, sharpness: float = 20.0) -> None:
        self.market = market
        self.ledger = ledger
        self.reserve = torch.full((market.segments,), 0.6, requires_grad=True)
        self.opt = torch.optim.Adam([self.reserve], lr=5e-3)
        self.sharpness = sharpness

    def revenue(self, top2: Tensor) -> Tensor:
        first, second = top2.unbind(-1)
        r = self.reserve[:, None]
        sold = torch.sigmoid(self.sharpness * (first - r))
        paid = torch.maximum(second, r)
        return (sold * paid).mean()

    def handle(self, top2: Tensor) -> dict[str, float]:
        income = self.revenue(top2)
        overrun = self.ledger.post(self.reserve)
        objective = -income + 1e-4 * overrun.square().mean()
        self.opt.zero_grad(set_to_none=True)
        objective.backward()
        self.opt.step()
        return {"income": income.item(), "overrun": overrun.abs().mean().item(), "reserve": self.reserve.mean().item()}


async def serve(n: int = 300) -> None:
    market = Market()
    pricer = ReservePricer(market, PlanLedger(plan=0.55 + 0.2 * torch.rand(market.segments)))
    i = 0
    async for top2 in auctions(market, n):
        figures = pricer.handle(top2)
        if i % 60 == 0:
            print(i, " ".join(f"{k}={v:.4f}" for k, v in figures.items()))
        i += 1
    print("final", figures)


if __name__ == "__main__":
    torch.manual_seed(19)
    asyncio.run(serve())
