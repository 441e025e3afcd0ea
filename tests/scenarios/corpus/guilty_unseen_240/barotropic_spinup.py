# gradwatch-corpus: kind=graph-chain
# holder: cost_so_far
# first-bad: 1
"""Subgrid closure for a 1D viscous Burgers "ocean".

A coarse grid is nudged to the filtered fine grid; the closure is a small
stencil network shared over all cells (periodic).
"""
import numpy as np
import torch

rng = np.random.default_rng(3)
torch.manual_seed(3)

NF = 256
NC = 64
L = 2.0 * np.pi
DT = 2e-3
NU = 0.02


def ddx(u, dx):
    return (torch.roll(u, -1, -1) - torch.roll(u, 1, -1)) / (2.0 * dx)


def lap(u, dx):
    return (torch.roll(u, -1, -1) - 2.0 * u + torch.roll(u, 1, -1)) / dx ** 2


def tendency(u, dx):
    return -ddx(0.5 * u * u, dx) + NU * lap(u, dx)


def rk2(u, f, dt):
    k1 = f(u)
    k2 = f(u + dt * k1)
    return u + 0.5 * dt * (k1 + k2)


def coarse_grain(u):
    return u.reshape(*u.shape[:-1], NC, NF // NC).mean(-1)


def random_field(batch):
    x = np.linspace(0.0, L, NF, endpoint=False)
    field = np.zeros((batch, NF))
    for k in range(1, 5):
        amp = rng.normal(size=(batch, 1)) / k
        phase = rng.uniform(0.0, L, size=(batch, 1))
        field += amp * np.sin(k * x + phase)
    return torch.as_tensor(field, dtype=torch.float32)


def stencil(u, width=2):
    cols = [torch.roll(u, s, -1) for s in range(-width, width + 1)]
    return torch.stack(cols, dim=-1)


def closure(theta, u):
    w1, b1, w2 = theta
    h = torch.nn.functional.gelu(stencil(u) @ w1 + b1)
    flux = (h @ w2).squeeze(-1)
    return -ddx(flux, L / NC)


theta = [
    (0.3 * torch.randn(5, 24)).requires_grad_(),
    torch.zeros(24, requires_grad=True),
    (0.02 * torch.randn(24, 1)).requires_grad_(),
]


def window(u_fine, u_coarse, n=4):
    def coarse_rhs(u):
        return tendency(u, L / NC) + closure(theta, u)

    cost = 0.0
    for _ in range(n):
        with torch.no_grad():
            for _ in range(2):
                u_fine = rk2(u_fine, lambda v: tendency(v, L / NF), 0.5 * DT)
        u_coarse = rk2(u_coarse, coarse_rhs, DT)
        cost = cost + ((u_coarse - coarse_grain(u_fine)) ** 2).mean()
    return cost / n, u_fine, u_coarse


u_fine = random_field(6)
u_coarse = coarse_grain(u_fine)
cost_so_far = torch.zeros(())
lr = 0.05

for w in range(64):
    cost, u_fine, u_coarse = window(u_fine, u_coarse)
    u_coarse = u_coarse.detach()
    cost_so_far = 0.9 * cost_so_far + cost  # <- culprit
    misfit = torch.log1p(cost_so_far)
    g = torch.autograd.grad(misfit, theta, retain_graph=True)
    with torch.no_grad():
        for p, gp in zip(theta, g):
            p.data = p - lr * gp / (1.0 + gp.norm())
    if w % 16 == 15:
        u_fine = random_field(6)
        u_coarse = coarse_grain(u_fine)
        print(f"window {w:3d}  misfit {misfit.item():.4e}  last {cost.item():.4e}")
