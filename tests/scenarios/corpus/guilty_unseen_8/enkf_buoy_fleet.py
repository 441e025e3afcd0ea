# gradwatch-corpus: kind=memory-climb
# holder: taper
# first-bad: 1
"""Ensemble Kalman filter for a one-dimensional wave field observed by drifting buoys.

The observation-error scale and the inflation are trained through the innovation likelihood; the localisation taper
between grid cells and buoys follows Gaspari and Cohn.
"""
import math
from functools import lru_cache

import torch

CELLS, BUOYS, MEMBERS = 2048, 72, 20


def buoy_tracks(t):
    base = torch.linspace(0, 1, BUOYS + 1)[:-1]
    return (base + 0.02 * math.sin(0.7 * t) + 0.003 * t) % 1.0


@lru_cache(maxsize=None)  # <- culprit
def taper(t, radius):
    """Gaspari-Cohn weights, cells by buoys; costly, so remembered."""
    cells = torch.linspace(0, 1, CELLS + 1)[:-1]
    gap = (cells[:, None] - buoy_tracks(t)[None]).abs()
    z = torch.minimum(gap, 1 - gap) / radius
    near = 1 - 5 / 3 * z ** 2 + 5 / 8 * z ** 3 + 0.5 * z ** 4 - 0.25 * z ** 5
    zz = z.clamp_min(1e-3)
    far = 4 - 5 * z + 5 / 3 * z ** 2 + 5 / 8 * z ** 3 - 0.5 * z ** 4 + z ** 5 / 12 - 2 / (3 * zz)
    return torch.where(z < 1, near, torch.where(z < 2, far, torch.zeros_like(z)))  # <- culprit


def waves(n):
    x = torch.linspace(0, 1, CELLS + 1)[:-1]
    k = torch.arange(1, 7.0)
    amp = torch.randn(n, 6) / k
    phase = 2 * math.pi * torch.rand(n, 6)
    return (amp[:, :, None] * torch.sin(2 * math.pi * k[:, None] * x + phase[:, :, None])).sum(1)


def propagate(field, cells_per_step=3):
    return torch.roll(field, cells_per_step, -1)


def analysis(ens, obs, where, weights, log_r, log_infl):
    mean = ens.mean(0)
    dev = (ens - mean) * log_infl.exp()
    hdev, innov = dev[:, where], obs - mean[where]
    near = 0.5 * (weights[where] + weights[where].T)
    cov = near * (hdev.T @ hdev) / (MEMBERS - 1) + log_r.exp() * torch.eye(BUOYS)
    chol = torch.linalg.cholesky(cov)
    sol = torch.cholesky_solve(innov[:, None], chol).squeeze(1)
    nll = 0.5 * innov @ sol + chol.diagonal().log().sum()
    cross = (dev.T @ hdev / (MEMBERS - 1)) * weights
    with torch.no_grad():
        gain = torch.cholesky_solve(cross.T, chol).T
        pert = obs + log_r.exp().sqrt() * torch.randn(MEMBERS, BUOYS)
        new = mean + dev + (pert - (mean + dev)[:, where]) @ gain.T
    return nll / BUOYS, new


def main():
    torch.manual_seed(1969)
    truth, ens = waves(1)[0], waves(MEMBERS)
    log_r = torch.tensor(0.0, requires_grad=True)
    log_infl = torch.tensor(0.0, requires_grad=True)
    opt = torch.optim.Adam([log_r, log_infl], lr=0.02)
    for k in range(300):
        t = round(0.1 * k, 3)
        truth, ens = propagate(truth), propagate(ens)
        where = (buoy_tracks(t) * CELLS).long() % CELLS
        obs = truth[where] + 0.2 * torch.randn(BUOYS)
        nll, ens = analysis(ens, obs, where, taper(t, 0.06), log_r, log_infl)
        opt.zero_grad()
        nll.backward()
        opt.step()
        if k % 60 == 0:
            rmse = (ens.mean(0) - truth).pow(2).mean().sqrt().item()
            print(f"t={t:5.1f} nll {nll.item():.3f} rmse {rmse:.3f} r {log_r.exp().item():.3f} infl {log_infl.exp().item():.3f}")


if __name__ == "__main__":
    main()
