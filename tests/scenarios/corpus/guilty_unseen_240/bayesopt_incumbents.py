# gradwatch-corpus: kind=graph-held
# holder: ledger
# first-bad: 7
"""Bayesian optimisation of a noisy Branin with an ARD Gaussian process.

Every round refits the hyperparameters by a few gradient steps on the marginal
likelihood and maximises expected improvement from random restarts.
"""
import math
from typing import NamedTuple

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(42)


class Proposal(NamedTuple):
    x: torch.Tensor
    y: float
    ei: torch.Tensor


def branin(u):
    x = 15.0 * u[..., 0] - 5.0
    y = 15.0 * u[..., 1]
    b = 5.1 / (4.0 * math.pi ** 2)
    c = 5.0 / math.pi
    t = 1.0 / (8.0 * math.pi)
    val = (y - b * x ** 2 + c * x - 6.0) ** 2 + 10.0 * (1.0 - t) * torch.cos(x) + 10.0
    return (val - 54.0) / 51.0


def matern52(a, b, ell, amp):
    diff = (a[:, None, :] - b[None, :, :]) / ell
    r = torch.sqrt((diff ** 2).sum(-1) + 1e-12)
    s = math.sqrt(5.0) * r
    return amp * (1.0 + s + s ** 2 / 3.0) * torch.exp(-s)


def unpack(raw):
    ell = 0.05 + torch.nn.functional.softplus(raw[:2])
    amp = torch.nn.functional.softplus(raw[2])
    noise = 1e-4 + torch.nn.functional.softplus(raw[3])
    return ell, amp, noise


def neg_mll(raw, X, y):
    ell, amp, noise = unpack(raw)
    K = matern52(X, X, ell, amp) + noise * torch.eye(len(X))
    Lc = torch.linalg.cholesky(K)
    alpha = torch.cholesky_solve(y[:, None], Lc)
    fit = 0.5 * (y @ alpha.squeeze(-1))
    prior = 0.05 * (raw ** 2).sum()
    return fit + torch.log(torch.diagonal(Lc)).sum() + prior


def refit(raw, X, y, n=3, lr=0.03):
    for _ in range(n):
        raw = raw.detach().requires_grad_()
        (g,) = torch.autograd.grad(neg_mll(raw, X, y), raw)
        raw = raw - lr * g.clamp(-5.0, 5.0)
    return raw.detach()


def posterior(raw, X, y):
    ell, amp, noise = unpack(raw)
    K = matern52(X, X, ell, amp) + noise * torch.eye(len(X))
    Lc = torch.linalg.cholesky(K)
    alpha = torch.cholesky_solve(y[:, None], Lc)

    def predict(xs):
        ks = matern52(xs, X, ell, amp)
        v = torch.linalg.solve_triangular(Lc, ks.T, upper=False)
        var = (amp - (v ** 2).sum(0)).clamp_min(1e-9)
        return (ks @ alpha).squeeze(-1), var.sqrt()

    return predict


def expected_improvement(predict, xs, best):
    mu, sd = predict(xs)
    z = (best - mu) / sd
    unit = torch.distributions.Normal(0.0, 1.0)
    return sd * (z * unit.cdf(z) + torch.exp(unit.log_prob(z)))


def maximise(acq, restarts=16, steps=3, lr=0.05):
    x = torch.rand(restarts, 2, requires_grad=True)
    for _ in range(steps):
        value = acq(x)
        (g,) = torch.autograd.grad(torch.log(value + 1e-12).sum(), x)
        x = (x + lr * g / (g.norm(dim=-1, keepdim=True) + 1e-9)).clamp(0.0, 1.0).detach().requires_grad_()
    value = acq(x)
    top = value.argmax()
    return x[top].detach(), value[top]  # <- culprit


X = torch.rand(6, 2)
y = branin(X) + 0.01 * torch.randn(6)
raw = torch.tensor([0.0, 0.0, 0.5, -4.0])
ledger = []

for rnd in range(60):
    raw = refit(raw, X, y)
    predict = posterior(raw, X, y)
    best = y.min()
    x_new, ei = maximise(lambda xs: expected_improvement(predict, xs, best))
    y_new = branin(x_new) + 0.01 * torch.randn(())
    ledger.append(Proposal(x_new, y_new.item(), ei))  # <- culprit
    X = torch.cat([X, x_new[None]])
    y = torch.cat([y, y_new[None]])
    if rnd % 12 == 0:
        recent = [p.ei.item() for p in ledger[-5:]]
        print(f"{rnd:3d} best {y.min().item():.4f} mean EI {sum(recent) / len(recent):.2e}")

winner = min(ledger, key=lambda p: p.y)
print("argmin", winner.x.tolist(), "value", winner.y)
