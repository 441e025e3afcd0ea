# gradwatch-corpus: kind=graph-chain
# holder: self.moments | ratio.moments | acct.ratio.moments | self.ratio.moments | self.moments.a | self.moments.b
# first-bad: 1
# notice: 5
"""Recurrent-reinforcement trading with a differential Sharpe ratio."""
from dataclasses import dataclass, replace
import functools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(19)


@dataclass(frozen=True)
class Moments:
    a: torch.Tensor
    b: torch.Tensor
    n: int = 0

    def moved(self, r, eta):
        da, db = r - self.a, r * r - self.b
        nxt = replace(self, a=self.a + eta * da, b=self.b + eta * db, n=self.n + 1)
        return nxt, da, db


class DifferentialSharpe:
    def __init__(self, eta=0.04):
        self.eta = eta
        self.moments = Moments(torch.tensor(0.0), torch.tensor(0.01))

    def __call__(self, r):
        m = self.moments
        self.moments, da, db = m.moved(r, self.eta)  # <- culprit
        var = (m.b - m.a ** 2).clamp_min(1e-4)
        return (m.b * da - 0.5 * m.a * db) / var ** 1.5


class Policy(nn.Module):
    def __init__(self, lags=12, assets=4):
        super().__init__()
        self.lin = nn.Linear(lags * assets, assets)

    def forward(self, past):
        return torch.tanh(self.lin(past.flatten()))


class Account:
    """Turns positions into returns after fees."""

    def __init__(self, ratio, fee=2e-3):
        self.ratio, self.fee = ratio, fee
        self.pos = None

    def settle(self, pos, ret):
        prev = torch.zeros_like(pos) if self.pos is None else self.pos
        gross = (pos * ret).mean()
        cost = self.fee * (pos - prev).abs().mean()
        self.pos = pos.detach()
        return gross - cost

    def utility(self, pos, ret):
        return self.ratio(self.settle(pos, ret))


def market(days, lags=12, assets=4):
    x = torch.randn(days + lags + 1, assets)
    for t in range(1, len(x)):
        x[t] += 0.4 * x[t - 1]
    x = 0.1 * x
    for t in range(lags, lags + days):
        yield x[t - lags:t], x[t]


def session(keep):
    def deco(fn):
        @functools.wraps(fn)
        def inner(opt, *a):
            opt.zero_grad()
            u = fn(*a)
            (-u).backward(retain_graph=keep)  # <- culprit
            opt.step()
            return u.item()
        return inner
    return deco


@session(keep=True)
def trade(policy, acct, past, ret):
    return acct.utility(policy(past), ret)


def main():
    policy, acct = Policy(), Account(DifferentialSharpe())
    opt = torch.optim.SGD(policy.parameters(), lr=0.01)
    run = 0.0
    for d, (past, ret) in enumerate(market(120)):
        run += trade(opt, policy, acct, past, ret)
        if d % 40 == 39:
            print(f"day {d:3d}  utility {run / (d + 1):+.4f}  a {acct.ratio.moments.a.item():+.4f}")


if __name__ == "__main__":
    main()
