# gradwatch-corpus: kind=none
"""Truss sizing by an augmented Lagrangian: primal L-BFGS inside, multipliers outside, all in plain tensors."""
from dataclasses import dataclass, replace

import torch

torch.set_num_threads(1)
torch.manual_seed(290)


@dataclass(frozen=True)
class Duals:
    lam: torch.Tensor
    rho: float


def weight(area, length):
    return (area.exp() * length).sum()


def stress(area, load):
    return load / area.exp()


def lagrangian(area, length, load, duals):
    g = stress(area, load) - 1.0
    shifted = torch.relu(duals.lam + duals.rho * g)
    return weight(area, length) + (shifted.square() - duals.lam.square()).sum() / (2 * duals.rho), g


def solve(case, rounds=4):
    length, load = case
    area = torch.zeros(5, requires_grad=True)
    duals = Duals(torch.zeros(5), 1.0)
    opt = torch.optim.LBFGS([area], lr=0.5, max_iter=5, line_search_fn="strong_wolfe")
    for _ in range(rounds):
        seen = {}

        def closure():
            opt.zero_grad()
            seen["value"], seen["g"] = lagrangian(area, length, load, duals)
            seen["value"].backward()
            return seen["value"]

        opt.step(closure)
        g = seen["g"].detach()
        duals = replace(duals, lam=torch.relu(duals.lam + duals.rho * g), rho=duals.rho * 1.5)
    return weight(area, length).item(), g.max().item()


def cases(n):
    for _ in range(n):
        yield 0.5 + torch.rand(5), 0.2 + torch.rand(5)


for i, case in enumerate(cases(130), 1):
    w, worst = solve(case)
    if i % 26 == 0:
        print(i, f"weight {w:.3f} worst constraint {worst:+.3f}")
