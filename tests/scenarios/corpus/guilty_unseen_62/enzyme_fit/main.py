# gradwatch-corpus: kind=graph-held
# holder: stepper.outcomes | self.outcomes
# first-bad: 1
# notice: 8
"""Estimate enzyme constants from noisy progress curves through an implicit solver."""
import argparse

import torch

from kinetics import Michaelis, progress_curves
from newton import NewtonStepper


def assays(n_assays, n_steps, dt, noise, seed):
    """Measured curves from a hidden enzyme at several starting concentrations."""
    g = torch.Generator().manual_seed(seed)
    truth = Michaelis(vmax=2.4, km=0.6, inflow=0.25)
    c0 = 0.5 + 4.0 * torch.rand(n_assays, generator=g)
    with torch.no_grad():
        curves = progress_curves(truth, NewtonStepper(dt), c0, n_steps)
    curves = curves + noise * torch.randn(curves.shape, generator=g)
    return c0, curves, truth.constants()


def subsets(n, size, generator):
    while True:
        yield torch.randperm(n, generator=generator)[:size]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=70)
    ap.add_argument("--steps", type=int, default=10)
    ap.add_argument("--dt", type=float, default=0.3)
    ap.add_argument("--lr", type=float, default=0.03)
    ap.add_argument("--batch", type=int, default=16)
    args = ap.parse_args()

    torch.set_num_threads(1)
    c0, curves, hidden = assays(48, args.steps, args.dt, noise=0.02, seed=7)
    model = Michaelis()
    stepper = NewtonStepper(args.dt)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    pick = subsets(len(c0), args.batch, torch.Generator().manual_seed(1))

    for it in range(args.iters):
        idx = next(pick)
        pred = progress_curves(model, stepper, c0[idx], args.steps)
        loss = (pred - curves[:, idx]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 15 == 0:
            print(f"iter {it:3d}  mse {loss.item():.5f}  "
                  f"sweeps per step {stepper.mean_sweeps():.2f}")

    print("fitted", model.constants())
    print("hidden", hidden)


if __name__ == "__main__":
    main()
