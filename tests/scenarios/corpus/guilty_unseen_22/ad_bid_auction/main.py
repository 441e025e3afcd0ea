# gradwatch-corpus: kind=graph-held
# holder: self._slots | pool._slots | self.pool._slots | engine.pool._slots | slot.object | self._slots[handle].object
# first-bad: 1
# notice: 32
"""Bid shading for first-price auctions. Port of our C++ trainer: results live in a handle pool and the
observers only ever see a handle."""
from dataclasses import dataclass

import torch
from torch import nn

from handle_pool import HandlePool
from observers import MarginObserver, SpendObserver


@dataclass
class StepResult:
    surplus: torch.Tensor
    shade: torch.Tensor
    values: torch.Tensor


class ShadingNet(nn.Module):
    def __init__(self, features, hidden=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU())
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return torch.sigmoid(self.out(self.body(x))).squeeze(-1)


class AuctionEngine:
    FEATURES = 24
    EXPLORE_EVERY = 4

    def __init__(self, seed=5):
        torch.manual_seed(seed)
        self.gen = torch.Generator().manual_seed(seed + 1)
        self.pool = HandlePool(initial=16)
        self.net = ShadingNet(self.FEATURES)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.observers = [SpendObserver(self.pool), MarginObserver(self.pool)]
        self.mix = torch.randn(self.FEATURES, generator=self.gen) / 5

    def next_requests(self, n=128):
        x = torch.randn(n, self.FEATURES, generator=self.gen)
        values = torch.exp(0.5 * x[:, 0] + 0.2)
        market = values * torch.sigmoid(x @ self.mix + 0.3 * torch.randn(n, generator=self.gen))
        return x, values, market

    def process(self, tick):
        x, values, market = self.next_requests()
        shade = self.net(x)
        bid = shade * values
        p_win = torch.sigmoid((bid - market) / 0.1)
        surplus = (p_win * (values - bid)).mean()
        handle = self.pool.acquire(StepResult(surplus, shade, values))  # <- culprit

        self.opt.zero_grad()
        (-surplus).backward()
        self.opt.step()

        if tick % self.EXPLORE_EVERY == 0:
            # exploration traffic is not billed, nobody to notify
            return surplus.item()  # <- culprit
        for observer in self.observers:
            observer.notify(tick, handle)
        value = self.pool.deref(handle).surplus.item()
        self.pool.release(handle)
        return value


def main(ticks=320):
    engine = AuctionEngine()
    for tick in range(ticks):
        surplus = engine.process(tick)
        if tick % 80 == 79:
            print(f"tick {tick + 1}: surplus {surplus:.4f}, "
                  + ", ".join(o.describe() for o in engine.observers))


if __name__ == "__main__":
    main()
