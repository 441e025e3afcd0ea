# gradwatch-corpus: kind=graph-held
# holder: totals.turnover | self.turnover | totals
# first-bad: 1
# notice: 8
#
# End-to-end portfolio policy: map recent returns to weights, maximise
# risk-adjusted growth net of transaction costs.
from dataclasses import dataclass, field

import torch
from torch import nn

ASSETS, LOOKBACK, HOLD = 8, 10, 6


@dataclass
class Ledger:
    turnover: torch.Tensor = field(default_factory=lambda: torch.zeros(()))
    growth: float = 0.0
    n: int = 0

    def book(self, growth, turnover):
        self.growth += growth.item()
        self.turnover = self.turnover + turnover  # <- culprit
        self.n += 1

    def summary(self):
        return {
            "mean growth": self.growth / self.n,
            "mean turnover": (self.turnover / self.n).item(),
        }


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(LOOKBACK, 16), nn.Tanh(), nn.Linear(16, 1)
        )
        self.prior = nn.Parameter(torch.zeros(ASSETS))

    def forward(self, window):
        scores = self.net(window.transpose(-1, -2)).squeeze(-1) + self.prior
        return torch.softmax(scores, dim=-1)


def simulate(T, gen):
    market = 0.01 * torch.randn(T, 1, generator=gen)
    idio = 0.02 * torch.randn(T, ASSETS, generator=gen)
    r = market + idio
    for t in range(1, T):  # a little momentum
        r[t] += 0.15 * r[t - 1]
    return r


def rollout(policy, r, start):
    """Hold HOLD consecutive days; returns mean log growth, its std, and turnover."""
    prev = None
    growths, turn = [], 0.0
    for d in range(HOLD):
        t = start + d
        w = policy(r[t - LOOKBACK:t][None])[0]
        growths.append(torch.log1p((w * r[t]).sum()))
        if prev is not None:
            turn = turn + (w - prev).abs().sum()
        prev = w
    g = torch.stack(growths)
    return g.mean(), g.std(), turn / (HOLD - 1)


def main():
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(99)
    torch.manual_seed(99)
    r = simulate(900, gen)
    policy = Policy()
    opt = torch.optim.RMSprop(policy.parameters(), lr=1e-3)
    totals = Ledger()
    for it in range(420):
        start = int(torch.randint(LOOKBACK, 900 - HOLD, (1,), generator=gen))
        mean, std, turnover = rollout(policy, r, start)
        loss = -(mean - 0.1 * std) + 2e-3 * turnover
        opt.zero_grad()
        loss.backward()
        opt.step()
        totals.book(mean, turnover)  # <- culprit
        if it % 70 == 69:
            print(f"it {it + 1}: growth {totals.growth / totals.n:+.5f}")
    for k, v in totals.summary().items():
        print(f"{k:>14}: {v:.5f}")


main()
