# gradwatch-corpus: kind=graph-held
# holder: FitRecord.ledger | type(self).ledger | cls.ledger
# first-bad: 1
"""Time-varying factor loadings from a small GRU, walked forward through simulated returns."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import nn

N_ASSETS, N_FACTORS, LOOKBACK, HOLD = 24, 3, 30, 5


@dataclass(frozen=True)
class FitRecord:
    window: int
    mse: float
    beta: torch.Tensor = field(repr=False)
    ledger: ClassVar[list[FitRecord]] = []

    def __post_init__(self):
        type(self).ledger.append(self)  # <- culprit

    @classmethod
    def turnover(cls, last=20):
        rows = [r.beta for r in cls.ledger[-last:]]
        if len(rows) < 2:
            return float("nan")
        return torch.stack([(b - a).abs().mean() for a, b in zip(rows, rows[1:])]).mean().item()


@dataclass(frozen=True)
class Slice:
    past_factors: torch.Tensor
    past_returns: torch.Tensor
    next_factors: torch.Tensor
    next_returns: torch.Tensor


class Market:
    def __init__(self, days, seed=4):
        g = torch.Generator().manual_seed(seed)
        self.factors = 0.01 * torch.randn(days, N_FACTORS, generator=g)
        drift = 0.03 * torch.randn(days, N_ASSETS, N_FACTORS, generator=g)
        self.beta = torch.randn(N_ASSETS, N_FACTORS, generator=g) + drift.cumsum(0)
        eps = 0.004 * torch.randn(days, N_ASSETS, generator=g)
        self.returns = torch.einsum("tf,taf->ta", self.factors, self.beta) + eps
        self.days = days

    def walk(self):
        for t in range(LOOKBACK, self.days - HOLD):
            yield Slice(self.factors[t - LOOKBACK:t], self.returns[t - LOOKBACK:t],
                        self.factors[t:t + HOLD], self.returns[t:t + HOLD])


class LoadingNet(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(N_FACTORS + 1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, N_FACTORS)

    def forward(self, s):
        f = s.past_factors.expand(N_ASSETS, -1, -1)
        r = s.past_returns.t().unsqueeze(-1)
        _, h = self.rnn(100 * torch.cat([f, r], dim=-1))
        return self.out(h[-1])


def predict(beta, factors):
    return factors @ beta.t()


def main():
    torch.manual_seed(4)
    market, net = Market(days=LOOKBACK + HOLD + 230), LoadingNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for w, s in enumerate(market.walk()):
        beta = net(s)
        loss = 1e4 * (predict(beta, s.next_factors) - s.next_returns).square().mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        rec = FitRecord(window=w, mse=loss.item(), beta=beta)  # <- culprit
        if w % 40 == 0:
            print(f"{rec}  turnover {FitRecord.turnover():.4f}")
    best = min(FitRecord.ledger, key=lambda r: r.mse)
    print("best window:", best)


if __name__ == "__main__":
    main()
