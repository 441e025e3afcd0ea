# gradwatch-corpus: kind=inplace-modified
# holder: final | u
# first-bad: 0
# notice: 0
"""Distributed control of the viscous Burgers equation.

Find a space-time forcing that steers a sine wave to a prescribed hump at the
final time, by gradient descent through an explicit finite-difference solver.
"""
import argparse
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Grid:
    n: int = 64
    steps: int = 40
    dt: float = 2e-3
    nu: float = 0.02

    @property
    def dx(self):
        return 1.0 / (self.n - 1)

    @property
    def x(self):
        return torch.linspace(0.0, 1.0, self.n)


class ForcingBasis:
    """Forcing as a sum of a few sines in space, piecewise constant in time."""

    def __init__(self, grid, modes=6, pieces=8):
        k = torch.arange(1, modes + 1)[:, None]
        self.shapes = torch.sin(torch.pi * k * grid.x[None, :])
        self.pieces = pieces
        self.per_piece = grid.steps // pieces
        self.coef = torch.zeros(pieces, modes, requires_grad=True)

    def at(self, step):
        piece = min(step // self.per_piece, self.pieces - 1)
        return self.coef[piece] @ self.shapes


def integrate(u0, forcing, grid):
    """Explicit upwind-free Burgers solver with homogeneous Dirichlet walls."""
    u = u0.clone()
    for step in range(grid.steps):
        f = forcing.at(step)
        ux = (u[2:] - u[:-2]) / (2 * grid.dx)
        uxx = (u[2:] - 2 * u[1:-1] + u[:-2]) / grid.dx ** 2
        u[1:-1] += grid.dt * (grid.nu * uxx - u[1:-1] * ux + f[1:-1])  # <- culprit
    return u


def target_profile(grid):
    return torch.exp(-((grid.x - 0.65) / 0.12) ** 2)


def control_cost(coef, weight):
    smooth = (coef[1:] - coef[:-1]).square().sum()
    return weight * (coef.square().sum() + smooth)


def optimise(grid, iters, lr, weight):
    forcing = ForcingBasis(grid)
    u0 = torch.sin(torch.pi * grid.x)
    goal = target_profile(grid)
    opt = torch.optim.Adam([forcing.coef], lr=lr)
    record = []
    for it in range(iters):
        final = integrate(u0, forcing, grid)
        tracking = (final - goal).square().mean()
        cost = tracking + control_cost(forcing.coef, weight)
        opt.zero_grad()
        cost.backward()
        opt.step()
        record.append((cost.item(), tracking.item()))
        if it % 20 == 0:
            print(f"iter {it:3d}  cost {record[-1][0]:.5f}  tracking {record[-1][1]:.5f}")
    return forcing, record


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=100)
    ap.add_argument("--lr", type=float, default=0.3)
    ap.add_argument("--weight", type=float, default=1e-5)
    ap.add_argument("--nu", type=float, default=0.02)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(0)
    grid = Grid(nu=args.nu)
    _, record = optimise(grid, args.iters, args.lr, args.weight)
    print("final tracking error", record[-1][1])


if __name__ == "__main__":
    main()
