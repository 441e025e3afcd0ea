# gradwatch-corpus: kind=none
"""Designing a two-element lens by gradient: curvatures and spacing.

Spot diagrams of field angles are memoised, as tolerancing, the merit function
and the printout ask for the same ones within a version of the design.
"""
from functools import lru_cache

import torch

torch.set_num_threads(1)
torch.manual_seed(15)

ANGLES = (0.0, 0.07, 0.15)
COLOURS = (1.515, 1.528)


class Design(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.curv = torch.nn.Parameter(torch.tensor([0.6, -0.3, 0.2, -0.5]))
        self.gap = torch.nn.Parameter(torch.tensor(0.4))
        self.focus = torch.nn.Parameter(torch.tensor(1.4))
        self.version = 0

    def bend(self, y, u, c, n_in, n_out):
        # refraction with the third-order term kept
        slope = c * y * (1 + 0.5 * (c * y) ** 2)
        return (n_in * u - (n_out - n_in) * slope) / n_out

    def trace(self, angle, n):
        y = torch.linspace(-0.3, 0.3, 9)
        u = torch.full_like(y, angle)
        for k in (0, 2):
            u = self.bend(y, u, self.curv[k], 1.0, n)
            y = y + 0.08 * u
            u = self.bend(y, u, self.curv[k + 1], n, 1.0)
            y = y + self.gap * u if k == 0 else y
        return y + self.focus * u


design = Design()


@lru_cache(maxsize=16)
def spot(version, angle, colour):
    return design.trace(angle, COLOURS[colour])


@lru_cache(maxsize=4)
def merit(version):
    terms = []
    for a in ANGLES:
        rays = torch.cat([spot(version, a, c) for c in range(len(COLOURS))])
        target = spot(version, a, 0).mean()
        terms.append(((rays - target) ** 2).mean() + 0.2 * (target - 1.5 * a) ** 2)
    return torch.stack(terms)


def tolerance(version):
    """How much the merit moves with each curvature, at the present design."""
    g, = torch.autograd.grad(merit(version).sum(), design.curv, retain_graph=True)
    return g.abs().max()


opt = torch.optim.Adam(design.parameters(), lr=4e-3)
sensitivity = []
for it in range(420):
    opt.zero_grad()
    if it % 5 == 0:
        sensitivity.append(tolerance(design.version).item())
    per_field = merit(design.version)
    loss = per_field.sum() + 1e-3 * design.curv.pow(2).sum()
    loss.backward()
    opt.step()
    if it % 70 == 69:
        shown = [spot(design.version, a, 1).std().item() for a in ANGLES]
        print(f"{it + 1:4d} merit {loss.item():.6f} spots {[round(s, 4) for s in shown]} "
              f"tol {sensitivity[-1]:.4f} cache {spot.cache_info().hits}/{spot.cache_info().misses}")
    design.version += 1
