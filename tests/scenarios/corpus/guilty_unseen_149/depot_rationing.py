# gradwatch-corpus: kind=graph-chain
# holder: self.price | dual.price
# first-bad: 1
# notice: 5
"""Share diesel between depots within a daily cap: augmented Lagrangian with a learned rule."""
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(37)

DEPOTS = 7
CAP = 9.0


class Dual:
    def __init__(self, rho=0.3, ceiling=20.0):
        self.price = torch.zeros(())
        self.rho, self.ceiling = rho, ceiling
        self.excess = None
        self.trace = []

    def charge(self, excess):
        self.excess = excess  # <- culprit
        return self.price * excess + 0.5 * self.rho * excess ** 2

    @contextmanager
    def auction(self):
        yield self
        raised = self.price + self.rho * self.excess  # <- culprit
        self.price = raised.clamp(0.0, self.ceiling)  # <- culprit
        self.trace.append(round(float(self.price.detach()), 3))


def demand(days):
    for _ in range(days):
        orders = torch.rand(24, DEPOTS) * 3
        yield orders, orders * torch.linspace(0.6, 1.0, DEPOTS)


class Rationer(nn.Module):
    def __init__(self):
        super().__init__()
        self.rule = nn.Linear(DEPOTS, DEPOTS)

    def forward(self, orders):
        return F.relu(self.rule(orders))


def main():
    rationer = Rationer()
    opt = torch.optim.SGD(rationer.parameters(), lr=0.02)
    dual = Dual()
    for day, (orders, wish) in enumerate(demand(80), 1):
        with dual.auction():
            litres = rationer(orders)
            shortfall = F.mse_loss(litres, wish)
            excess = F.relu(litres.sum(1) - CAP).mean()
            loss = shortfall + dual.charge(excess)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
        if day % 20 == 0:
            print(f"day {day}: shortfall {shortfall.item():.3f} excess {excess.item():.3f} price {dual.trace[-1]}")


main()
