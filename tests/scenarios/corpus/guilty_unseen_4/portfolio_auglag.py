# gradwatch-corpus: kind=graph-chain
# holder: self.dual | c.dual | rules
# first-bad: 1
"""Mean-variance allocation with a turnover term, fully-invested via an augmented Lagrangian.

    min_w  0.5 w' S w - r' w + kappa |w - w_prev|_1     s.t.  sum(w) = 1,  b'w = 0.6
"""
from dataclasses import dataclass, field

import torch


@dataclass
class Market:
    n: int = 48
    days: int = 260
    seed: int = 19
    returns: torch.Tensor = field(init=False)

    def __post_init__(self):
        g = torch.Generator().manual_seed(self.seed)
        load = torch.randn(self.n, 4, generator=g) * 0.6
        fac = torch.randn(self.days, 4, generator=g) * 0.01
        idio = torch.randn(self.days, self.n, generator=g) * 0.015
        self.returns = fac @ load.T + idio + 0.0004
        self.beta = load[:, 0] * 0.3 + 1.0

    def sample(self, g, window=60):
        s = int(torch.randint(0, self.days - window, (1,), generator=g))
        r = self.returns[s:s + window] * 100
        return r.mean(0), (r.T @ r) / window


class Constraint:
    """h(w) = 0, with its multiplier and penalty weight."""

    def __init__(self, name, fn, rho=2.0, rate=0.01):
        self.name, self.fn, self.rho, self.rate = name, fn, rho, rate
        self.dual = torch.zeros(())

    def term(self, w):
        gap = self.fn(w)
        self._gap = gap
        return self.dual * gap + 0.5 * self.rho * gap.square()

    def ascend(self):
        self.dual = torch.add(self.dual, self._gap, alpha=self.rate * self.rho)  # <- culprit


def solve(market, sweeps=320):
    gen = torch.Generator().manual_seed(1)
    w = torch.full((market.n,), 1.0 / market.n, requires_grad=True)
    w_prev = w.detach().clone()
    rules = [
        Constraint("budget", lambda a: a.sum() - 1.0),
        Constraint("tail", lambda a: a[:16].sum() - 0.25, rho=1.0),
    ]
    sgd = torch.optim.SGD([w], lr=5e-4, momentum=0.5)
    for t in range(sweeps):
        mu, cov = market.sample(gen)
        utility = 0.5 * (w @ cov @ w) - mu @ w
        cost = 0.02 * (w - w_prev).abs().sum()
        lagr = utility + cost + sum(c.term(w) for c in rules)
        sgd.zero_grad()
        lagr.backward()
        sgd.step()
        for c in rules:
            c.ascend()
        if t % 64 == 63:
            duals = " ".join(f"{c.name}={float(c.dual):+.3f}" for c in rules)
            print(f"[{t + 1}] L={float(lagr):+.4f} sum={float(w.sum()):.4f} {duals}")
    return w.detach()


if __name__ == "__main__":
    torch.manual_seed(0)
    best = solve(Market())
    print("largest", best.topk(3).indices.tolist())
