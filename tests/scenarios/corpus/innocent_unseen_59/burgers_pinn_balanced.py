# gradwatch-corpus: kind=none
"""Burgers' equation with gradient-norm balanced loss terms.

Every `balance_every` steps each term's gradient norm is measured on the last
layer and the weights are moved towards equal norms; a bank of hard collocation
points is refreshed from the residuals.
"""
import argparse
import math

import torch
from torch import nn


class Burgers(nn.Module):
    def __init__(self, width, viscosity):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.last = nn.Linear(width, 1)
        self.nu = viscosity

    def forward(self, xt):
        return self.last(self.body(xt))

    def residual(self, xt):
        xt = xt.detach().requires_grad_(True)
        u = self(xt)
        first = torch.autograd.grad(u.sum(), xt, create_graph=True)[0]
        ux, ut = first[:, :1], first[:, 1:]
        uxx = torch.autograd.grad(ux.sum(), xt, create_graph=True)[0][:, :1]
        return ut + u * ux - self.nu * uxx, xt


class HardPoints:
    """The collocation points with the greatest residuals seen, at most `capacity`."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.points = torch.empty(0, 2)
        self.scores = torch.empty(0)

    def offer(self, points, residual):
        scores = torch.cat([self.scores * 0.9, residual.detach().abs().squeeze(-1)])
        points = torch.cat([self.points, points.detach()])
        top = scores.topk(min(self.capacity, len(scores))).indices
        self.points, self.scores = points[top], scores[top]


class Balancer:
    def __init__(self, names, momentum=0.8):
        self.weights = {n: torch.tensor(1.0) for n in names}
        self.momentum = momentum

    def measure(self, terms, anchor):
        norms = {n: torch.autograd.grad(v, anchor, retain_graph=True)[0].norm() for n, v in terms.items()}
        mean = sum(norms.values()) / len(norms)
        for n, norm in norms.items():
            fresh = (mean / (norm + 1e-8)).clamp(0.1, 20.0)
            self.weights[n] = self.momentum * self.weights[n] + (1 - self.momentum) * fresh

    def combine(self, terms):
        return sum(self.weights[n] * v for n, v in terms.items())


class Problem:
    def __init__(self, model, hard, batch):
        self.model, self.hard, self.batch = model, hard, batch

    def terms(self):
        free = torch.rand(self.batch, 2) * torch.tensor([2.0, 1.0]) - torch.tensor([1.0, 0.0])
        r, points = self.model.residual(torch.cat([free, self.hard.points]))
        self.hard.offer(points[:self.batch], r[:self.batch])
        x0 = torch.rand(self.batch, 1) * 2 - 1
        start = self.model(torch.cat([x0, torch.zeros_like(x0)], 1)) + torch.sin(math.pi * x0)
        t = torch.rand(self.batch, 1)
        side = torch.cat([torch.sign(x0), t], 1)
        return {"pde": r.pow(2).mean(), "initial": start.pow(2).mean(),
                "walls": self.model(side).pow(2).mean()}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--balance-every", type=int, default=5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(6)
    model = Burgers(24, 0.02)
    problem = Problem(model, HardPoints(32), 48)
    balancer = Balancer(["pde", "initial", "walls"])
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    best = math.inf
    for step in range(args.steps):
        terms = problem.terms()
        if step % args.balance_every == 0:
            balancer.measure(terms, model.last.weight)
        total = balancer.combine(terms)
        opt.zero_grad()
        total.backward()
        opt.step()
        best = min(best, sum(v.item() for v in terms.values()))
        if step % 40 == 0:
            print(step, {k: round(v.item(), 4) for k, v in terms.items()},
                  {k: round(w.item(), 2) for k, w in balancer.weights.items()})
    print("best unweighted total", round(best, 5))


if __name__ == "__main__":
    main()
