# gradwatch-corpus: kind=none
"""Recurrent position sizing trained on the Sharpe ratio of the last few days."""
import argparse
import math
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class Market:
    days: int
    lags: int = 10
    seed: int = 31
    returns: torch.Tensor = field(init=False)

    def __post_init__(self):
        g = torch.Generator().manual_seed(self.seed)
        shock = 0.01 * torch.randn(self.days + self.lags, generator=g)
        r = [0.0]
        for e in shock.tolist():
            r.append(0.35 * r[-1] + e)
        self.returns = torch.tensor(r[1:])

    def __iter__(self):
        for d in range(self.days):
            yield 100 * self.returns[d:d + self.lags], 100 * self.returns[d + self.lags]


class Sizer(nn.Module):
    """Position in [-1, 1] from recent returns and the position held."""

    def __init__(self, lags):
        super().__init__()
        self.linear = nn.Linear(lags + 1, 1)
        nn.init.normal_(self.linear.weight, std=0.05)

    def forward(self, lagged, held):
        return torch.tanh(self.linear(torch.cat([lagged, held.reshape(1)]))).squeeze(0)


class SharpeTrader:
    def __init__(self, sizer, window, cost=0.02):
        self.sizer = sizer
        self.window = window
        self.cost = cost
        self.opt = torch.optim.Adam(sizer.parameters(), lr=2e-3)
        self.held = torch.zeros(())
        self.gains = []
        self.equity = 0.0

    def observe(self, lagged, realised):
        position = self.sizer(lagged, self.held)
        gain = position * realised - self.cost * (position - self.held).abs()
        self.held = position.detach()
        self.equity += gain.item()
        self.gains = self.gains[-(self.window - 1):] + [gain]

    def sharpe(self):
        gains = torch.stack(self.gains)
        return gains.mean() / (gains.std() + 0.05)

    def learn(self):
        if len(self.gains) < 3:
            return None
        loss = -self.sharpe()
        self.opt.zero_grad()
        # every day's gain belongs to `window` overlapping ratios
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--days", type=int, default=300)
    ap.add_argument("--window", type=int, default=12)
    args = ap.parse_args()
    torch.manual_seed(0)
    trader = SharpeTrader(Sizer(10), args.window)
    smooth = math.nan
    for day, (lagged, realised) in enumerate(Market(args.days)):
        trader.observe(lagged, realised)
        loss = trader.learn()
        if loss is not None:
            smooth = loss if math.isnan(smooth) else 0.95 * smooth + 0.05 * loss
        if day % 60 == 59:
            print(f"day {day + 1}: equity {trader.equity:+.2f}% sharpe {-smooth:+.3f}")


if __name__ == "__main__":
    main()
