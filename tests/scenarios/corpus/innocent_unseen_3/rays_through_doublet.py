# gradwatch-corpus: kind=none
# about: LBFGS closures, many backwards per step; the best merit is kept with its (spent) graph, one at a time; record holds floats
"""Optimise the curvatures and gaps of a cemented doublet by tracing meridional rays, L-BFGS with strong-Wolfe line search."""
import math
from types import SimpleNamespace

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(4)
GLASS = {"air": (1.0, 0.0), "crown": (1.5168, .0042), "flint": (1.6200, .0124)}


def index(glass, lam):
    a, b = GLASS[glass]
    return a + b / lam ** 2


def surface(y, u, curv, gap, n1, n2):
    """exact sphere refraction, height y and slope angle u, then transfer to the next vertex"""
    sin_i = torch.sin(u) + y * curv * torch.cos(u)
    sin_r = (n1 / n2) * sin_i
    out = u - torch.asin(sin_i.clamp(-.98, .98)) + torch.asin(sin_r.clamp(-.98, .98))
    sag = curv * y ** 2 / 2
    return y + (gap - sag) * torch.tan(out), out


def make_system(seed):
    g = torch.Generator().manual_seed(seed)
    jitter = torch.randn(3, generator=g) * 2e-3
    return SimpleNamespace(
        c=(torch.tensor([.0160, -.0200, -.0040]) + jitter).requires_grad_(),
        t=torch.tensor([6.0, 3.0, 96.0]).requires_grad_(),
        order=["air", "crown", "flint", "air"])


PUPIL = torch.linspace(-9, 9, 61)
LINES = (.486, .588, .656)


def merit(sys_):
    spot = 0.0
    foc = []
    for lam in LINES:
        for field in (0.0, .01, .02):
            y, u = PUPIL.clone(), torch.full_like(PUPIL, field)
            for k in range(3):
                n1, n2 = index(sys_.order[k], lam), index(sys_.order[k + 1], lam)
                y, u = surface(y, u, sys_.c[k], sys_.t[k], n1, n2)
            spot = spot + (y - 100 * math.tan(field)).square().mean()
            foc.append(y.mean())
    penalty = torch.relu(2 - sys_.t[:2]).square().sum() + 1e-4 * (sys_.t[2] - 96).square()
    return spot / 9 + penalty


record = []
best = (math.inf, None)
for start in range(12):
    lens = make_system(start)
    search = torch.optim.LBFGS([lens.c, lens.t], lr=.4, max_iter=6, history_size=8, line_search_fn="strong_wolfe")
    evals = 0

    def closure():
        global evals
        search.zero_grad()
        m = merit(lens)
        m.backward()
        evals += 1
        return m

    for sweep in range(15):
        value = search.step(closure)
        record.append(value.item())
        if value < best[0]:
            best = (value, lens)
    print(f"start {start:2d}: merit {value.item():.5f} after {evals} traces, best so far {best[0].item():.5f}")
print("curvatures", [round(v, 5) for v in best[1].c.tolist()])
