# gradwatch-corpus: kind=graph-chain
# holder: self.supply | self.demand | duals.supply | duals.demand | self.duals.supply | self.duals.demand | planner.duals.demand | planner.duals.supply
# first-bad: 1
"""Freight allocation by the method of multipliers: projected gradient on the shipments, an ascent step
on the prices after each. Step rules are pluggable, see RULES."""
from dataclasses import dataclass, field

import torch

RULES: dict = {}


def rule(name):
    def wrap(fn):
        RULES[name] = fn
        return fn

    return wrap


@rule("constant")
def constant(base, k):
    return base


@rule("harmonic")
def harmonic(base, k):
    return base / (1.0 + 0.02 * k)


@rule("sqrt")
def sqrt(base, k):
    return base / (1.0 + k) ** 0.5


@dataclass(frozen=True)
class NetworkConfig:
    plants: int = 8
    depots: int = 20
    seed: int = 31


@dataclass(frozen=True)
class SolverConfig:
    iterations: int = 320
    lr: float = 0.02
    price_step: float = 0.01
    price_rule: str = "harmonic"
    penalty: float = 0.5
    log_every: int = 80


@dataclass(frozen=True)
class PlanConfig:
    network: NetworkConfig = field(default_factory=NetworkConfig)
    solver: SolverConfig = field(default_factory=SolverConfig)


@dataclass
class Network:
    cost: torch.Tensor
    supply: torch.Tensor
    demand: torch.Tensor

    @classmethod
    def random(cls, cfg):
        gen = torch.Generator().manual_seed(cfg.seed)
        plants = torch.rand(cfg.plants, 2, generator=gen)
        depots = torch.rand(cfg.depots, 2, generator=gen)
        demand = 0.5 + torch.rand(cfg.depots, generator=gen)
        share = 0.5 + torch.rand(cfg.plants, generator=gen)
        return cls(torch.cdist(plants, depots), demand.sum() * share / share.sum(), demand)


class Prices:
    """Multipliers of the two families of flow constraints."""

    def __init__(self, network):
        self.supply = torch.zeros_like(network.supply)
        self.demand = torch.zeros_like(network.demand)

    def charge(self, gaps):
        return (self.supply * gaps["supply"]).sum() + (self.demand * gaps["demand"]).sum()

    def ascend(self, gaps, step):
        self.supply = torch.add(self.supply, gaps["supply"], alpha=step)  # <- culprit
        self.demand = torch.add(self.demand, gaps["demand"], alpha=step)  # <- culprit


class Planner:
    def __init__(self, cfg):
        self.cfg = cfg.solver
        self.network = Network.random(cfg.network)
        start = self.network.supply[:, None] * self.network.demand[None, :] / self.network.demand.sum()
        self.flow = torch.nn.Parameter(start * 0.5)
        self.duals = Prices(self.network)
        self.optimizer = torch.optim.Adam([self.flow], lr=self.cfg.lr)
        self.price_step = RULES[self.cfg.price_rule]

    def gaps(self):
        return {
            "supply": self.flow.sum(1) - self.network.supply,
            "demand": self.network.demand - self.flow.sum(0),
        }

    def lagrangian(self, gaps):
        freight = (self.network.cost * self.flow).sum()
        squared = sum(g.pow(2).sum() for g in gaps.values())
        return freight + self.duals.charge(gaps) + 0.5 * self.cfg.penalty * squared

    def iterate(self, k):
        gaps = self.gaps()
        value = self.lagrangian(gaps)
        self.optimizer.zero_grad()
        value.backward()
        self.optimizer.step()
        with torch.no_grad():
            self.flow.clamp_(min=0.0)
        self.duals.ascend(gaps, self.price_step(self.cfg.price_step, k))
        return value.item(), max(g.abs().max().item() for g in gaps.values())

    def solve(self):
        for k in range(self.cfg.iterations):
            value, worst = self.iterate(k)
            if k % self.cfg.log_every == 0:
                print(f"{k:4d}  lagrangian {value:9.4f}  worst gap {worst:.4f}")
        with torch.no_grad():
            return (self.network.cost * self.flow).sum().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    planner = Planner(PlanConfig())
    print(f"freight cost {planner.solve():.4f}")
