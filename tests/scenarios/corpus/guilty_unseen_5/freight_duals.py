# gradwatch-corpus: kind=graph-chain
# holder: book.rows | self.rows | book.cols | self.cols
# first-bad: 1
"""
Depot-to-store shipping plan: minimise freight cost + congestion, with the marginals (stock at each depot,
demand at each store) enforced by an augmented Lagrangian. Plan entries are kept non-negative by projection.
"""
from dataclasses import dataclass, field

import torch


@dataclass
class Problem:
    depots: int = 14
    stores: int = 32
    seed: int = 5
    cost: torch.Tensor = field(init=False)
    stock: torch.Tensor = field(init=False)
    demand: torch.Tensor = field(init=False)

    def __post_init__(self):
        rng = torch.Generator().manual_seed(self.seed)
        a = torch.rand(self.depots, 2, generator=rng)
        b = torch.rand(self.stores, 2, generator=rng)
        self.cost = torch.cdist(a, b)
        s = torch.rand(self.depots, generator=rng) + 0.2
        d = torch.rand(self.stores, generator=rng) + 0.2
        self.stock, self.demand = s / s.sum(), d / d.sum()


@dataclass
class Duals:
    rows: torch.Tensor
    cols: torch.Tensor
    rho: float = 8.0
    pace: float = 0.02

    def price(self, gap_r, gap_c):
        linear = self.rows @ gap_r + self.cols @ gap_c
        quad = gap_r.square().sum() + gap_c.square().sum()
        return linear + 0.5 * self.rho * quad

    def ascend(self, gap_r, gap_c):
        self.rows = torch.add(self.rows, gap_r, alpha=self.pace * self.rho)  # <- culprit
        self.cols = torch.add(self.cols, gap_c, alpha=self.pace * self.rho)  # <- culprit


def freight(plan, problem):
    haul = (problem.cost * plan).sum()
    congestion = (plan / (problem.stock[:, None] + 0.05)).pow(2).sum()
    return haul + 0.02 * congestion


def solve(problem, rounds=300):
    plan = torch.nn.Parameter(torch.outer(problem.stock, problem.demand)
                              + 0.002 * torch.rand(problem.depots, problem.stores))
    book = Duals(torch.zeros(problem.depots), torch.zeros(problem.stores))
    opt = torch.optim.Adam([plan], lr=1e-3)
    for r in range(rounds):
        gap_r = plan.sum(1) - problem.stock
        gap_c = plan.sum(0) - problem.demand
        bill = freight(plan, problem)
        opt.zero_grad()
        (bill + book.price(gap_r, gap_c)).backward()
        opt.step()
        with torch.no_grad():
            plan.clamp_(min=0)
        book.ascend(gap_r, gap_c)
        if r % 50 == 0:
            off = max(gap_r.abs().max().item(), gap_c.abs().max().item())
            print(f"round {r:4d}  bill {bill.item():.4f}  worst marginal {off:.5f}")
    return plan.detach()


if __name__ == "__main__":
    torch.manual_seed(0)
    p = Problem()
    x = solve(p)
    used = (x > 1e-4).sum().item()
    print(f"lanes in use {used} of {x.numel()}, total shipped {x.sum().item():.4f}")
