# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | balancer.smoothed | self.balancer.smoothed
# first-bad: 1
# notice: 5
"""Viscous Burgers' equation with a PINN.

u_t + u u_x = nu u_xx on x in [-1, 1], t in [0, 1], with three loss terms
(residual / initial / boundary) weighted by learned uncertainties.
"""
import argparse
import math
from dataclasses import dataclass, field

import torch
import torch.nn as nn

torch.set_num_threads(1)


class Burgers(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        layers, n_in = [], 2
        for _ in range(depth):
            layers += [nn.Linear(n_in, width), nn.Tanh()]
            n_in = width
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(width, 1)

    def forward(self, x, t):
        return self.out(self.body(torch.cat([x, t], dim=1)))


class UncertaintyBalancer(nn.Module):
    """Kendall-style weights exp(-s_k), smoothed so that they do not jump around."""

    def __init__(self, names, beta=0.9):
        super().__init__()
        self.names = list(names)
        self.beta = beta
        self.log_vars = nn.Parameter(torch.zeros(len(self.names)))
        self.smoothed = torch.ones(len(self.names))

    def forward(self, losses):
        precision = torch.exp(-self.log_vars)
        self.smoothed = self.beta * self.smoothed + (1 - self.beta) * precision  # <- culprit
        stacked = torch.stack([losses[n] for n in self.names])
        return (self.smoothed * stacked).sum() + 0.5 * self.log_vars.sum()

    def current(self):
        return {n: round(w, 3) for n, w in zip(self.names, self.smoothed.tolist())}


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


@dataclass
class History:
    total: list = field(default_factory=list)
    grad_norms: list = field(default_factory=list)

    def add(self, total, norms):
        self.total.append(total.item())
        self.grad_norms.append(norms)


class PINNTrainer:
    def __init__(self, args):
        self.args = args
        self.net = Burgers(args.width)
        self.balancer = UncertaintyBalancer(["pde", "ic", "bc"])
        self.opt = torch.optim.Adam([
            {"params": self.net.parameters(), "lr": args.lr},
            {"params": self.balancer.parameters(), "lr": 1e-2},
        ])
        self.history = History()

    def losses(self):
        n = self.args.n_col
        x = (torch.rand(n, 1) * 2 - 1).requires_grad_()
        t = torch.rand(n, 1).requires_grad_()
        u = self.net(x, t)
        u_x, u_t = d(u, x), d(u, t)
        u_xx = d(u_x, x)
        res = u_t + u * u_x - self.args.nu * u_xx

        x0 = torch.rand(n // 2, 1) * 2 - 1
        ic = self.net(x0, torch.zeros_like(x0)) + torch.sin(math.pi * x0)

        tb = torch.rand(n // 2, 1)
        side = torch.where(torch.rand(n // 2, 1) < 0.5, -1.0, 1.0)
        bc = self.net(side, tb)
        return {"pde": res.pow(2).mean(), "ic": ic.pow(2).mean(), "bc": bc.pow(2).mean()}

    def term_norms(self, losses):
        """Gradient norm of each unweighted term at the output layer, for the stiffness plot."""
        norms = {}
        for name, term in losses.items():
            g, = torch.autograd.grad(term, self.net.out.weight, retain_graph=True)
            norms[name] = g.norm().item()
        return norms

    def fit(self):
        for it in range(self.args.iters):
            terms = self.losses()
            total = self.balancer(terms)
            self.opt.zero_grad()
            total.backward(retain_graph=True)
            norms = self.term_norms(terms)
            self.opt.step()
            self.history.add(total, norms)
            if it % 20 == 0:
                print(f"[{it:4d}] total {total.item():.4f}  w {self.balancer.current()}  |g_pde| {norms['pde']:.3f}")
        return self.history


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--n-col", type=int, default=64)
    ap.add_argument("--width", type=int, default=24)
    ap.add_argument("--nu", type=float, default=0.01 / math.pi)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(7)
    h = PINNTrainer(args).fit()
    print("best total:", min(h.total))


if __name__ == "__main__":
    main()
