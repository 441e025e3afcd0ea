# gradwatch-corpus: kind=graph-held
# holder: evals | history
# first-bad: 1
# notice: 8
# Radial-velocity curve of an eccentric binary; bootstrap refits by L-BFGS.
from functools import reduce
import math
import torch

torch.set_num_threads(1)
gen = torch.Generator().manual_seed(31)
dtype = torch.float64

epochs = torch.sort(torch.rand(24, generator=gen, dtype=dtype) * 9.0).values
truth = torch.tensor([2.1, -0.8, 0.7, 0.3, 4.0], dtype=dtype)   # log K, logit e, omega, M0, gamma


def newton_kepler(M, e, n=6):
    return reduce(lambda E, _: E - (E - e * torch.sin(E) - M) / (1 - e * torch.cos(E)), range(n), M)


def velocity(p, t, period=3.3):
    K, e = p[0].exp(), 0.9 * torch.sigmoid(p[1])
    M = 2 * math.pi * t / period + p[3]
    E = newton_kepler(M, e)
    nu = 2 * torch.atan2((1 + e).sqrt() * torch.sin(E / 2), (1 - e).sqrt() * torch.cos(E / 2))
    return K * (torch.cos(nu + p[2]) + e * torch.cos(p[2])) + p[4]


noise = 0.4
rv = velocity(truth, epochs) + noise * torch.randn(24, generator=gen, dtype=dtype)


def chi_square(p, t, v):
    return (((velocity(p, t) - v) / noise) ** 2).sum() / len(t)


def refit(t, v, start, history):
    p = start.clone().requires_grad_()
    solver = torch.optim.LBFGS([p], lr=0.5, max_iter=3, line_search_fn=None)

    def closure():
        solver.zero_grad()
        c = chi_square(p, t, v)
        c.backward()
        history.append(c)  # <- culprit
        return c

    solver.step(closure)
    return p.detach()


evals = []
posterior = []
current = truth + 0.05
for b in range(260):
    pick = torch.randint(0, 24, (24,), generator=gen)
    fitted = refit(epochs[pick], rv[pick], current, evals)
    posterior.append(fitted.tolist())
    current = 0.7 * current + 0.3 * fitted if torch.isfinite(fitted).all() else truth.clone()
    if b % 65 == 64:
        print(f"resample {b + 1:4d}  evaluations {len(evals):5d}  last chi2 {evals[-1].item():.3f}")

cols = list(zip(*posterior))
for label, column in zip(("logK", "logit_e", "omega", "M0", "gamma"), cols):
    mean = sum(column) / len(column)
    sd = math.sqrt(sum((c - mean) ** 2 for c in column) / len(column))
    print(f"{label:8s} {mean:+.3f} +- {sd:.3f}")
print("best chi2 seen", min(c.item() for c in evals))
