# gradwatch-corpus: kind=graph-chain
# holder: self.price | multiplier.price | self.terms["density"].price | term.price | placer.terms["density"].price | price
# first-bad: 1
"""Analytic global placement: log-sum-exp wirelength with priced density and fence terms (augmented
Lagrangian). Terms are registered, the placer balances them by their gradient norms."""
import math

import torch

TERMS = {}


def term(name):
    def deco(cls):
        TERMS[name] = cls
        return cls
    return deco


class Netlist:
    def __init__(self, cells=40, nets=60, pins=3, seed=13):
        gen = torch.Generator().manual_seed(seed)
        self.cells = cells
        self.pins = torch.randint(0, cells, (nets, pins), generator=gen)
        self.start = 0.5 + 0.05 * torch.randn(cells, 2, generator=gen)


class PricedMixin:
    """A constraint g(x) <= 0 with its dual price, raised after each move of the placer."""

    def init_price(self, rho, ceiling):
        self.price = torch.tensor(0.0)
        self.rho, self.ceiling = rho, ceiling
        self.violation = None

    def priced(self, violation):
        self.violation = violation
        return self.price * violation + 0.5 * self.rho * violation.square()

    def raise_price(self):
        if float(self.price) < self.ceiling:
            self.price = self.price + self.rho * self.violation  # <- culprit


@term("density")
class BinDensity(PricedMixin):
    def __init__(self, cells, bins=6, sharp=12.0):
        self.edges = torch.linspace(0, 1, bins + 1)
        self.sharp = sharp
        self.target = 1.15 * cells / bins ** 2
        self.cells = cells
        self.init_price(rho=0.02, ceiling=1e3)

    def __call__(self, pos):
        s = torch.sigmoid((pos.unsqueeze(-1) - self.edges) * self.sharp)
        share = s[..., :-1] - s[..., 1:]
        usage = share[:, 0].t() @ share[:, 1]
        return self.priced(torch.relu(usage - self.target).sum() / self.cells)


@term("spread")
class CentreOfMass:
    """Keeps the die balanced, cheap and never binding for long."""

    def __init__(self, cells):
        self.cells = cells

    def __call__(self, pos):
        return 0.2 * (pos.mean(0) - 0.5).square().sum()

    def raise_price(self):
        pass


def wirelength(pos, pins, gamma=0.05):
    p = pos[pins] / gamma
    return gamma * (torch.logsumexp(p, 1) + torch.logsumexp(-p, 1)).sum() / len(pins)


class Placer:
    def __init__(self, netlist, lr=0.004):
        self.netlist = netlist
        self.pos = netlist.start.clone().requires_grad_()
        self.terms = {name: cls(netlist.cells) for name, cls in TERMS.items()}
        self.opt = torch.optim.Adam([self.pos], lr=lr)
        self.balance = 1.0

    def rebalance(self, wl, rest):
        g_wl, = torch.autograd.grad(wl, self.pos, retain_graph=True)
        g_rest, = torch.autograd.grad(rest, self.pos, retain_graph=True)
        ratio = float(g_wl.norm() / g_rest.norm().clamp(min=1e-6))
        self.balance = 0.9 * self.balance + 0.1 * min(max(ratio, 0.1), 10.0)

    def move(self, it):
        wl = wirelength(self.pos, self.netlist.pins)
        rest = sum(t(self.pos) for t in self.terms.values())
        if it % 10 == 0:
            self.rebalance(wl, rest)
        objective = wl + self.balance * rest
        self.opt.zero_grad()
        objective.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        with torch.no_grad():
            self.pos.clamp_(0.01, 0.99)
        for t in self.terms.values():
            t.raise_price()
        return float(wl), float(self.terms["density"].violation)


def main(moves=210):
    torch.manual_seed(0)
    placer = Placer(Netlist())
    for it in range(moves):
        wl, over = placer.move(it)
        if it % 42 == 41:
            print(f"move {it + 1:4d}  wl {wl:.4f}  overflow {over:.4f}  "
                  f"price {math.fsum([float(placer.terms['density'].price)]):.3f}")


if __name__ == "__main__":
    main()
