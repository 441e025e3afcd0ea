# gradwatch-corpus: kind=second-backward
# holder: self.penalty | term.penalty | prior.penalty
# first-bad: 1
# notice: 0
"""Inverse heat conduction with a physics-informed network.

We recover a conductivity profile k(x) from sparse temperature readings on
-(k u')' = f, u(0)=u(1)=0.  Two nets: one for u, one for log k.  The loss is a
list of terms, each with a weight and an optional `prepare` stage for whatever
depends only on the fixed grids.
"""
import argparse
import math

import torch
from torch import nn


def mlp(widths):
    layers = []
    for a, b in zip(widths[:-2], widths[1:-1]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    layers.append(nn.Linear(widths[-2], widths[-1]))
    return nn.Sequential(*layers)


class HeatModel(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.u_net = mlp([1, width, width, 1])
        self.k_net = mlp([1, width, 1])

    def u(self, x):
        return x * (1 - x) * self.u_net(x)

    def k(self, x):
        return torch.exp(self.k_net(x))


class Term:
    """One summand of the loss."""

    weight = 1.0

    def prepare(self, model):
        pass

    def __call__(self, model):
        raise NotImplementedError


class Residual(Term):
    def __init__(self, n, generator):
        self.n = n
        self.generator = generator

    def __call__(self, model):
        x = torch.rand(self.n, 1, generator=self.generator).requires_grad_(True)
        u = model.u(x)
        du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
        flux = model.k(x) * du
        dflux = torch.autograd.grad(flux.sum(), x, create_graph=True)[0]
        source = math.pi ** 2 * torch.sin(math.pi * x.detach())
        return (dflux + source).pow(2).mean()


class Sensors(Term):
    weight = 50.0

    def __init__(self, n, generator):
        self.x = torch.linspace(0.05, 0.95, n)[:, None]
        clean = torch.sin(math.pi * self.x)
        self.y = clean + 0.01 * torch.randn(n, 1, generator=generator)

    def __call__(self, model):
        return (model.u(self.x) - self.y).pow(2).mean()


class SmoothConductivity(Term):
    """Total-variation prior of log k on a fixed reference grid."""

    weight = 0.01

    def __init__(self, n):
        self.grid = torch.linspace(0, 1, n)[:, None]
        self.penalty = None

    def prepare(self, model):
        profile = model.k(self.grid).log().squeeze(-1)
        jumps = profile[1:] - profile[:-1]
        self.penalty = torch.sqrt(jumps.pow(2) + 1e-6).sum()  # <- culprit

    def __call__(self, model):
        return self.penalty


class Solver:
    def __init__(self, model, terms, lr):
        self.model = model
        self.terms = terms
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def setup(self):
        for term in self.terms:
            term.prepare(self.model)

    def objective(self):
        parts = {type(t).__name__: t.weight * t(self.model) for t in self.terms}
        return sum(parts.values()), {k: v.item() for k, v in parts.items()}

    def solve(self, steps):
        self.setup()
        for step in range(steps):
            self.optimizer.zero_grad()
            total, parts = self.objective()
            total.backward()
            self.optimizer.step()
            if step % 20 == 0:
                print(step, " ".join(f"{k}={v:.4f}" for k, v in parts.items()))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--width", type=int, default=24)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    prior = SmoothConductivity(40)
    solver = Solver(HeatModel(args.width), [Residual(48, gen), Sensors(12, gen), prior], 3e-3)
    solver.solve(args.steps)


if __name__ == "__main__":
    main()
