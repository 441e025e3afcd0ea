# gradwatch-corpus: kind=graph-chain
# holder: self.nu | con.nu | budget.nu | sector.nu | constraints[0].nu | c.nu
# first-bad: 1
# notice: 5
"""
Mean-variance portfolio with a budget and a sector cap, solved by stochastic
augmented Lagrangian. Each step draws a fresh window of simulated returns.

usage: python portfolio_multiplier.py
"""
import math
from dataclasses import dataclass, field

import torch

torch.set_num_threads(1)
torch.manual_seed(11)

N_ASSETS = 24
WINDOW = 64
STEPS = 260
RISK_AVERSION = 3.0


@dataclass
class Market:
    n: int
    mu: torch.Tensor = field(init=False)
    load: torch.Tensor = field(init=False)

    def __post_init__(self):
        g = torch.Generator().manual_seed(5)
        self.mu = 0.05 + 0.08 * torch.rand(self.n, generator=g)
        self.load = 0.2 * torch.randn(self.n, 3, generator=g)

    def draw(self, rows):
        factors = torch.randn(rows, 3)
        idio = 0.1 * torch.randn(rows, self.n)
        return self.mu + factors @ self.load.T + idio


class EqualityConstraint:
    """c(w) = 0 handled with multiplier nu and quadratic penalty rho."""

    def __init__(self, name, lo, hi, level, rho):
        self.name = name
        self.lo, self.hi = lo, hi
        self.level = level
        self.rho = rho
        self.nu = torch.zeros(())

    def residual(self, w):
        return w[self.lo:self.hi].sum() - self.level

    def term(self, w):
        c = self.residual(w)
        return self.nu * c + 0.5 * self.rho * c * c

    def ascend(self, w):
        self.nu = torch.add(self.nu, self.residual(w), alpha=0.02 * self.rho)  # <- culprit


def utility(w, r):
    port = r @ w
    return port.mean() - 0.5 * RISK_AVERSION * port.var()


def main():
    market = Market(N_ASSETS)
    w = torch.nn.Parameter(torch.full((N_ASSETS,), 1.0 / N_ASSETS))
    budget = EqualityConstraint("budget", 0, N_ASSETS, 1.0, rho=2.0)
    sector = EqualityConstraint("energy", 4, 9, 0.15, rho=2.0)
    constraints = [budget, sector]

    opt = torch.optim.SGD([w], lr=5e-3, momentum=0.5)
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda k: 0.5 * (1 + math.cos(math.pi * k / STEPS)) + 0.02
    )

    for k in range(STEPS):
        r = market.draw(WINDOW)
        lagr = -utility(w, r) + 1e-2 * w.pow(2).sum()
        for c in constraints:
            lagr = lagr + c.term(w)

        opt.zero_grad()
        lagr.backward()
        opt.step()
        sched.step()

        for c in constraints:
            c.ascend(w)

        if k % 80 == 0 or k == STEPS - 1:
            msg = "  ".join(
                f"{c.name}: res={c.residual(w).item():+.4f} nu={c.nu.item():+.4f}"
                for c in constraints
            )
            print(f"{k:4d}  L={lagr.item():+.4f}  {msg}")

    top = torch.topk(w.detach(), 5)
    print("largest weights:", [(int(i), round(float(v), 3)) for v, i in zip(*top)])


if __name__ == "__main__":
    main()
