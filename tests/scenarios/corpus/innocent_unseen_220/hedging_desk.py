# gradwatch-corpus: kind=none
"""Deep hedging of a barrier option; path P&L is built up step by step."""
import math
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Market:
    vol: float = 0.25
    dt: float = 1 / 50
    days: int = 16
    strike: float = 1.0
    barrier: float = 1.35
    fee: float = 0.001

    def shock(self, price):
        z = torch.randn_like(price)
        growth = -0.5 * self.vol ** 2 * self.dt + self.vol * math.sqrt(self.dt) * z
        return price * growth.exp()

    def payoff(self, price, peak):
        alive = (peak < self.barrier).float()
        return alive * (price - self.strike).clamp_min(0.0)


class HedgePolicy(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.cell = nn.GRUCell(4, width)
        self.delta = nn.Linear(width, 1)

    def forward(self, obs, memory):
        memory = self.cell(obs, memory)
        return torch.sigmoid(self.delta(memory)).squeeze(1), memory


class Desk:
    def __init__(self, market, paths=256, width=48, lag=2):
        self.market = market
        self.paths = paths
        self.width = width
        self.policy = HedgePolicy(width)
        self.premium = nn.Parameter(torch.tensor(0.05))
        params = list(self.policy.parameters()) + [self.premium]
        self.opt = torch.optim.Adam(params, lr=3e-3)
        self.running_risk = torch.zeros(())
        self.inflight = deque(maxlen=lag)
        self.positions = []

    def simulate(self):
        m = self.market
        price = torch.ones(self.paths)
        peak = price
        held = torch.zeros(self.paths)
        memory = torch.zeros(self.paths, self.width)
        pnl = self.premium.expand(self.paths)
        for day in range(m.days):
            clock = torch.full_like(price, day / m.days)
            obs = torch.stack([price - 1, peak - 1, held, clock], dim=1)
            wanted, memory = self.policy(obs, memory)
            self.positions.append(wanted)
            pnl = pnl - m.fee * (wanted - held).abs() * price
            moved = m.shock(price)
            pnl = pnl + wanted * (moved - price)
            price = moved
            peak = torch.maximum(peak, price)
            held = wanted
        return pnl - m.payoff(price, peak)

    def entropic(self, pnl, aversion=12.0):
        return (torch.logsumexp(-aversion * pnl, 0) - math.log(len(pnl))) / aversion

    def train_once(self):
        self.positions.clear()
        pnl = self.simulate()
        turnover = torch.stack(self.positions).diff(dim=0).abs().mean()
        risk = self.entropic(pnl)
        loss = risk + 0.5 * self.premium.square() + 0.01 * turnover
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.running_risk = 0.95 * self.running_risk + 0.05 * risk.detach()
        ready = self.inflight[0].item() if len(self.inflight) == self.inflight.maxlen else None
        self.inflight.append(loss)
        return ready


def main():
    torch.manual_seed(11)
    desk = Desk(Market())
    seen = []
    for it in range(110):
        value = desk.train_once()
        if value is not None:
            seen.append(value)
        if it % 22 == 21:
            print(f"{it + 1}: loss {seen[-1]:.5f} risk {desk.running_risk:.5f}")
    print(f"premium {desk.premium.item():.4f} from {len(seen)} reports")


if __name__ == "__main__":
    main()
