# gradwatch-corpus: kind=graph-held
# holder: strains | self.strains | tuner.strains | strains[0].parent | self.strains[0].parent | strain.parent
# first-bad: 1
"""Population-based tuning of feedback controllers that hold a heated rod at a set profile.

All members are simulated together (leading axis = member).  Every step each member keeps a record of
where it came from, so that the schedule of step sizes can be replayed afterwards.
"""
import random
from typing import NamedTuple, Optional

import torch

P, N, HORIZON = 6, 32, 6


class Strain(NamedTuple):
    parent: Optional["Strain"]
    rate: float
    fitness: torch.Tensor

    def schedule(self):
        node, rates = self, []
        while node is not None:
            rates.append(node.rate)
            node = node.parent
        return rates[::-1]


class RodTuner:
    def __init__(self):
        self.gain = (0.1 * torch.randn(P, N, 4)).requires_grad_()
        self.offset = torch.zeros(P, 4, requires_grad=True)
        self.actuator = torch.exp(-(torch.arange(N)[None] - torch.tensor([4, 12, 20, 28])[:, None]).pow(2) / 18.0)
        self.target = torch.sin(torch.linspace(0, 3.1416, N))
        self.rates = [10 ** random.uniform(-3, -1.5) for _ in range(P)]
        self.strains = [Strain(None, r, torch.tensor(float("-inf"))) for r in self.rates]
        self.sgd = torch.optim.SGD([self.gain, self.offset], lr=1.0)

    def simulate(self):
        temp = 0.2 * torch.rand(P, 8, N)
        cost = torch.zeros(P)
        for _ in range(HORIZON):
            err = self.target - temp
            heat = torch.tanh(torch.einsum("pbn,pnk->pbk", err, self.gain) + self.offset[:, None])
            lap = torch.roll(temp, 1, -1) - 2 * temp + torch.roll(temp, -1, -1)
            temp = temp + 0.2 * lap + 0.3 * heat @ self.actuator
            cost = cost + err.pow(2).mean((1, 2))
        return cost / HORIZON

    def advance(self):
        cost = self.simulate()
        self.sgd.zero_grad()
        cost.sum().backward()
        with torch.no_grad():
            for i, r in enumerate(self.rates):
                self.gain.grad[i] *= r
                self.offset.grad[i] *= r
        self.sgd.step()
        self.strains = [  # <- culprit
            Strain(old, rate, -c) for old, rate, c in zip(self.strains, self.rates, cost)
        ]
        return cost

    @torch.no_grad()
    def exploit(self):
        order = sorted(range(P), key=lambda i: float(self.strains[i].fitness), reverse=True)
        for lo, hi in zip(order[-2:], order[:2]):
            self.gain[lo] = self.gain[hi]
            self.offset[lo] = self.offset[hi]
            self.rates[lo] = self.rates[hi] * random.choice([0.8, 1.25])
            self.strains[lo] = self.strains[hi]


if __name__ == "__main__":
    torch.manual_seed(5)
    random.seed(5)
    tuner = RodTuner()
    for gen in range(300):
        cost = tuner.advance()
        if gen % 20 == 19:
            tuner.exploit()
        if gen % 60 == 0:
            print(f"gen {gen:3d}  best {cost.min().item():.4f}  worst {cost.max().item():.4f}")
    winner = max(tuner.strains, key=lambda s: float(s.fitness))
    sched = winner.schedule()
    print("winning schedule", [round(r, 4) for r in sched[::60]])
