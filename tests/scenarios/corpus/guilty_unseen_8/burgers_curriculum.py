# gradwatch-corpus: kind=second-backward
# first-bad: 60
"""Viscous Burgers equation with a small network: fit the data first, then add the equation and learn the viscosity.

Gradient norms of the two parts are kept apart in the log, so each part gets its own backward pass.
"""
import argparse
import math

import torch
from torch import nn


def build(width):
    return nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))


def reference(x, t, nu):
    """Travelling shock of the viscous equation."""
    return 0.5 - 0.5 * torch.tanh((x - 0.5 * t) / (4 * nu))


def scatter(n, nu):
    pts = torch.rand(n, 2) * torch.tensor([4.0, 2.0]) - torch.tensor([2.0, 0.0])
    u = reference(pts[:, :1], pts[:, 1:], nu) + 0.01 * torch.randn(n, 1)
    return pts.requires_grad_(), u


def derivative(y, pts):
    return torch.autograd.grad(y.sum(), pts, create_graph=True)[0]


def grad_norm(params):
    return math.sqrt(sum(float(p.grad.pow(2).sum()) for p in params if p.grad is not None))


class Stage:
    DATA, PHYSICS = range(2)

    def __init__(self, switch):
        self.switch = switch

    def __call__(self, k):
        return self.PHYSICS if k >= self.switch else self.DATA


def residual(u, pts, nu):
    du = derivative(u, pts)
    u_x, u_t = du[:, :1], du[:, 1:]
    u_xx = derivative(u_x, pts)[:, :1]
    return u_t + u * u_x - nu * u_xx


def main(a):
    torch.manual_seed(a.seed)
    net = build(a.width)
    log_nu = nn.Parameter(torch.tensor(math.log(0.5)))
    everything = [*net.parameters(), log_nu]
    adam = torch.optim.Adam(everything, lr=3e-3)
    stage = Stage(a.switch)
    for k in range(a.iters):
        pts, seen = scatter(a.points, nu=0.1)
        u = net(pts)
        fit = (u - seen).pow(2).mean()
        adam.zero_grad()
        norms = {}
        if stage(k) == Stage.PHYSICS:
            equation = residual(u, pts, log_nu.exp()).pow(2).mean()
            fit.backward()  # <- culprit
            norms["fit"] = grad_norm(everything)
            (0.1 * equation).backward()  # <- culprit
            norms["both"] = grad_norm(everything)
        else:
            fit.backward()
            norms["fit"] = grad_norm(everything)
        adam.step()
        if k % 20 == 0:
            print(f"{k:4d} fit {fit.item():.5f} nu {log_nu.exp().item():.3f} {norms}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=300)
    ap.add_argument("--switch", type=int, default=60)
    ap.add_argument("--points", type=int, default=400)
    ap.add_argument("--width", type=int, default=32)
    ap.add_argument("--seed", type=int, default=6)
    main(ap.parse_args())
