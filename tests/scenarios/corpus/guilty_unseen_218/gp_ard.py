# gradwatch-corpus: kind=graph-held
# holder: trace["nll"] | trace["ell"] | trace
# first-bad: 1
"""Exact GP regression, ARD-RBF + Matern32, type-II ML by Adam."""
from collections import defaultdict
import math

import torch
import torch.nn.functional as F

torch.manual_seed(5)
torch.set_default_dtype(torch.float64)


def make_data(n=120):
    X = torch.rand(n, 3) * 4 - 2
    y = torch.sin(2 * X[:, 0]) + 0.5 * X[:, 1] ** 2 + 0.1 * torch.randn(n)
    return X, (y - y.mean()) / y.std()


def sqdist(A, B, ell):
    A, B = A / ell, B / ell
    return (A[:, None, :] - B[None, :, :]).pow(2).sum(-1)


def kernel(A, B, hyp):
    d2 = sqdist(A, B, hyp["ell"])
    rbf = hyp["amp"] * torch.exp(-0.5 * d2)
    r = (3.0 * d2 + 1e-12).sqrt()
    mat = hyp["amp2"] * (1 + r) * torch.exp(-r)
    return rbf + mat


def constrain(raw):
    return {k: F.softplus(v) + 1e-5 for k, v in raw.items()}


def neg_mll(X, y, hyp):
    n = len(X)
    K = kernel(X, X, hyp) + (hyp["noise"] + 1e-6) * torch.eye(n)
    Lc = torch.linalg.cholesky(K)
    alpha = torch.cholesky_solve(y[:, None], Lc)
    return (0.5 * (y[:, None] * alpha).sum() + Lc.diagonal().log().sum()
            + 0.5 * n * math.log(2 * math.pi)) / n


def predict(X, y, Xs, raw):
    with torch.no_grad():
        hyp = constrain(raw)
        K = kernel(X, X, hyp) + (hyp["noise"] + 1e-6) * torch.eye(len(X))
        Lc = torch.linalg.cholesky(K)
        return kernel(Xs, X, hyp) @ torch.cholesky_solve(y[:, None], Lc)


X, y = make_data()
Xtr, ytr, Xte, yte = X[:90], y[:90], X[90:], y[90:]

raw = {
    "ell": torch.zeros(3, requires_grad=True),
    "amp": torch.zeros((), requires_grad=True),
    "amp2": torch.tensor(-2.0, requires_grad=True),
    "noise": torch.tensor(-1.0, requires_grad=True),
}
opt = torch.optim.Adam(raw.values(), lr=0.05)
trace = defaultdict(list)

for i in range(120):
    opt.zero_grad()
    hyp = constrain(raw)
    nll = neg_mll(Xtr, ytr, hyp)
    nll.backward()
    opt.step()
    trace["nll"].append(nll)  # <- culprit
    trace["ell"].append(hyp["ell"])  # <- culprit
    if i % 30 == 0:
        rmse = (predict(Xtr, ytr, Xte, raw).squeeze() - yte).pow(2).mean().sqrt()
        print(f"{i:4d} nll {nll:.4f} rmse {rmse:.4f}")

best = min(range(len(trace["nll"])), key=lambda j: trace["nll"][j].item())
print("best", best, trace["ell"][best].tolist())
