# gradwatch-corpus: kind=none
"""Alternating quasi-Newton fit of a gravitational lens and its source.

Lens and source take turns; each turn is one LBFGS call with its own closure.
When the fit stalls, it is kicked and continues from the best state so far.
"""
import argparse

import torch

from keeper import BestStates
from lens import Scene


class Fit:
    def __init__(self, scene, image, sigma):
        self.scene, self.image, self.sigma = scene, image, sigma
        self.residual = None
        self.solvers = self.make_solvers()
        self.evaluations = 0

    def make_solvers(self):
        def solver(part):
            return torch.optim.LBFGS(part.parameters(), lr=0.7, max_iter=3, history_size=6,
                                     line_search_fn="strong_wolfe")
        return [solver(self.scene.lens), solver(self.scene.source)]

    def objective(self):
        self.residual = (self.scene() - self.image) / self.sigma
        prior = sum(p.square().sum() for p in self.scene.parameters())
        return 0.5 * self.residual.square().mean() + 1e-3 * prior

    def turn(self, which):
        solver = self.solvers[which]

        def closure():
            self.scene.zero_grad()
            value = self.objective()
            value.backward()
            self.evaluations += 1
            return value

        return solver.step(closure)


@torch.no_grad()
def observe(size, sigma):
    truth = Scene(size, seed=5)
    truth.lens.log_b.fill_(-0.3)
    truth.lens.e.copy_(torch.tensor([0.4, -0.2]))
    truth.lens.shear.copy_(torch.tensor([0.05, 0.02]))
    clean = truth()
    return clean + sigma * torch.randn_like(clean)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--turns", type=int, default=160)
    ap.add_argument("--patience", type=int, default=12)
    ap.add_argument("--size", type=int, default=24)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    scene = Scene(args.size)
    fit = Fit(scene, observe(args.size, 0.02), sigma=0.02)
    best = BestStates(k=5)
    stalled = 0
    for it in range(args.turns):
        before = fit.turn(it % 2)
        stalled = 0 if best.offer(before.item(), it, scene) else stalled + 1
        if stalled >= args.patience:
            best.restore(scene)
            with torch.no_grad():
                for p in scene.parameters():
                    p.add_(0.02 * torch.randn_like(p))
            fit.solvers = fit.make_solvers()
            stalled = 0
        if it % 20 == 0:
            print(f"turn {it:4d}  objective {before.item():9.3f}  "
                  f"max |res| {fit.residual.abs().max().item():.2f}  evals {fit.evaluations}")
    print("best objectives", [round(v, 3) for v, _, _ in best.entries])


if __name__ == "__main__":
    main()
