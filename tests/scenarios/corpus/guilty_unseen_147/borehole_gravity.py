# gradwatch-corpus: kind=graph-held
# holder: trend
# first-bad: 1
# notice: 8
"""Density profile from borehole gravity readings (from the notebook `inversion_v3`)."""
import math

import torch

torch.set_num_threads(1)
torch.manual_seed(31)

# %% geometry
n_layers, n_obs = 24, 40
z = torch.linspace(0.0, 120.0, n_layers)
stations = torch.linspace(1.0, 118.0, n_obs)
G = 1.0 / (1.0 + ((stations[:, None] - z[None, :]) / 12.0) ** 2)
G = G / G.sum(1, keepdim=True)

# %% synthetic truth
rho_true = 2.2 + 0.4 * torch.sin(z / 15.0) + 0.2 * (z > 70).float()
d_obs = G @ rho_true + 0.004 * torch.randn(n_obs)


# %% forward problem
def layer_density(q):
    return 1.8 + 1.4 * torch.sigmoid(q)


def misfit(q, rows):
    r = (G[rows] @ layer_density(q) - d_obs[rows]) / 0.004
    return torch.log1p(r.pow(2)).mean()


def roughness(q):
    return (q[2:] - 2 * q[1:-1] + q[:-2]).pow(2).sum()


def blend(old, new, beta=0.97):
    if old is None:
        return new
    return beta * old + (1 - beta) * new  # <- culprit


# %% inversion
q = torch.zeros(n_layers, requires_grad=True)
opt = torch.optim.Adam([q], lr=0.02)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 500)
trend = None
best = math.inf

for it in range(500):
    rows = torch.randperm(n_obs)[:16]
    phi = misfit(q, rows)
    objective = phi + 0.3 * roughness(q)
    opt.zero_grad()
    objective.backward()
    opt.step()
    sched.step()
    trend = blend(trend, phi)  # <- culprit
    best = min(best, trend.item())

print("trend", round(trend.item(), 4), "best", round(best, 4))
