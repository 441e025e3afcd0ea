# gradwatch-corpus: kind=second-backward
# holder: chol | L
# first-bad: 1
# notice: 0
"""Kriging of isotope ratios over a catchment: marginal likelihood by gradient ascent."""
import math

import torch

torch.set_num_threads(1)
torch.manual_seed(16)


def matern32(coords, log_range, log_sill):
    gap = (coords[:, None] - coords[None]).pow(2).sum(-1)
    d = (gap + 1e-8).sqrt() / log_range.exp()
    return log_sill.exp() * (1 + math.sqrt(3) * d) * torch.exp(-math.sqrt(3) * d)


def factor(coords, params):
    cov = matern32(coords, params["log_range"], params["log_sill"])
    return torch.linalg.cholesky(cov + 0.05 * torch.eye(len(coords)))


def neg_log_lik(chol, ratios, trend):
    r = (ratios - trend).unsqueeze(1)
    half = torch.linalg.solve_triangular(chol, r, upper=False)
    return 0.5 * half.square().sum() + chol.diagonal().log().sum()


def estimate(coords, ratios, steps=200):
    params = {k: torch.zeros((), requires_grad=True) for k in ("log_range", "log_sill", "trend")}
    opt = torch.optim.Rprop(params.values(), lr=0.02)
    chol = factor(coords, params)  # <- culprit
    for step in range(steps):
        opt.zero_grad()
        nll = neg_log_lik(chol, ratios, params["trend"])
        nll.backward()
        opt.step()
        if step % 50 == 0:
            print(step, nll.item())
    return params


sites = torch.rand(25, 2) * 3
values = torch.sin(sites[:, 0]) + 0.5 * sites[:, 1] + 0.1 * torch.randn(25)
print({k: v.item() for k, v in estimate(sites, values).items()})
