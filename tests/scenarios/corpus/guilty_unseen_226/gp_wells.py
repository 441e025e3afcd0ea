# gradwatch-corpus: kind=second-backward
# holder: basis
# first-bad: 1
"""Groundwater level between wells: low-rank GP, stochastic evidence over the measuring days."""
import math

import torch

torch.manual_seed(6)
DTYPE = torch.float64
N_WELLS = 60
N_DAYS = 90


def rbf(a, b, length, amp):
    d2 = torch.cdist(a, b).square()
    return amp ** 2 * torch.exp(-0.5 * d2 / length ** 2)


def spectral_basis(xy, freqs, length, amp):
    phase = xy @ (freqs / length)
    stacked = torch.cat([phase.cos(), phase.sin()], dim=1)
    return amp * stacked / math.sqrt(freqs.shape[1])


def truth(xy):
    cov = rbf(xy, xy, 0.35, 1.2) + 1e-6 * torch.eye(len(xy), dtype=DTYPE)
    chol = torch.linalg.cholesky(cov)
    field = chol @ torch.randn(len(xy), N_DAYS, dtype=DTYPE)
    return field + 0.2 * torch.randn_like(field)


def evidence(levels, basis, noise):
    n, k = basis.shape
    inner = torch.eye(k, dtype=DTYPE) + basis.T @ basis / noise
    chol = torch.linalg.cholesky(inner)
    proj = basis.T @ levels / noise
    sol = torch.cholesky_solve(proj, chol)
    fit = (levels.square().sum(0) / noise) - (proj * sol).sum(0)
    logdet = 2 * chol.diagonal().log().sum() + n * noise.log()
    return 0.5 * (fit + logdet + n * math.log(2 * math.pi)).mean()


wells = torch.rand(N_WELLS, 2, dtype=DTYPE)
levels = truth(wells)
freqs = torch.randn(2, 25, dtype=DTYPE)

log_length = torch.tensor(0.0, dtype=DTYPE, requires_grad=True)
log_amp = torch.tensor(0.0, dtype=DTYPE, requires_grad=True)
log_noise = torch.tensor(-1.0, dtype=DTYPE, requires_grad=True)
opt = torch.optim.Adam([log_length, log_amp, log_noise], lr=0.03)

# the wells do not move, so the basis is the same for each day
basis = spectral_basis(wells, freqs, log_length.exp(), log_amp.exp())  # <- culprit

for it in range(100):
    days = torch.randperm(N_DAYS)[:15]
    nll = evidence(levels[:, days], basis, log_noise.exp())  # <- culprit
    opt.zero_grad()
    nll.backward()
    opt.step()
    if it % 10 == 0:
        print(
            f"{it:3d} nll {nll.item():8.3f}"
            f" length {log_length.exp().item():.3f}"
            f" amp {log_amp.exp().item():.3f}"
            f" noise {log_noise.exp().item():.3f}"
        )
