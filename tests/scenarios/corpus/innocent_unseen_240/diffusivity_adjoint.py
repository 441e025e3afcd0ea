# gradwatch-corpus: kind=none
"""Diffusivity inversion with an implicit time stepper and a custom adjoint."""
import torch
from torch.autograd import Function

torch.set_default_dtype(torch.float64)
N = 40
DX = 1.0 / (N + 1)
DT = 5e-3


def assemble(kappa):
    left = kappa[:-1] / DX ** 2
    right = kappa[1:] / DX ** 2
    A = torch.diag(1.0 + DT * (left + right))
    A = A - DT * torch.diag(right[:-1], 1) - DT * torch.diag(left[1:], -1)
    return A


class ImplicitStep(Function):
    @staticmethod
    def forward(ctx, kappa, u):
        lu, piv = torch.linalg.lu_factor(assemble(kappa))
        out = torch.linalg.lu_solve(lu, piv, u)
        ctx.save_for_backward(lu, piv, out)
        return out

    @staticmethod
    def backward(ctx, g):
        lu, piv, u = ctx.saved_tensors
        lam = torch.linalg.lu_solve(lu, piv, g, adjoint=True)
        pad = torch.zeros(1, u.shape[1])
        du = torch.diff(torch.cat([pad, u, pad]), dim=0)
        dl = torch.diff(torch.cat([pad, lam, pad]), dim=0)
        g_kappa = -DT / DX ** 2 * (du * dl).sum(-1)
        return g_kappa, lam


step = ImplicitStep.apply


def diffusivity(raw, basis):
    return 0.05 + torch.nn.functional.softplus(basis @ raw)


def sources(n):
    x = torch.linspace(DX, 1.0 - DX, N)[:, None]
    c = torch.rand(1, n)
    return torch.exp(-((x - c) / 0.1) ** 2)


def cosine_basis(k):
    x = torch.linspace(0.0, 1.0, N + 1)[:, None]
    return torch.cos(torch.pi * x * torch.arange(k))


def forward_model(kappa, u, n_steps):
    for _ in range(n_steps):
        u = step(kappa, u)
        yield u


def armijo(f, raw, value, g, t=1.0):
    with torch.no_grad():
        slope = (g ** 2).sum()
        for _ in range(8):
            if f(raw - t * g) <= value - 1e-4 * t * slope:
                break
            t *= 0.5
    return (raw - t * g).detach().requires_grad_(), t


def main():
    torch.manual_seed(400)
    basis = cosine_basis(8)
    truth = 0.3 + 0.2 * torch.sin(2.0 * torch.pi * torch.linspace(0.0, 1.0, N + 1))
    raw = torch.zeros(8, requires_grad=True)
    visited = []
    for it in range(80):
        u0 = sources(4)
        with torch.no_grad():
            data = [u + 1e-3 * torch.randn_like(u) for u in forward_model(truth, u0, 5)]

        def misfit(r):
            pred = forward_model(diffusivity(r, basis), u0, 5)
            fit = sum(((p - d) ** 2).mean() for p, d in zip(pred, data))
            return 100.0 * fit + 1e-4 * (r ** 2).sum()

        value = misfit(raw)
        (g,) = torch.autograd.grad(value, raw)
        raw, t = armijo(misfit, raw, value.item(), g)
        visited.append((value.item(), t))
        if it % 16 == 0:
            err = (diffusivity(raw.detach(), basis) - truth).abs().mean().item()
            print(f"{it:3d} misfit {value.item():.4e} step {t:.3f} |kappa err| {err:.4f}")
    print("mean step length", sum(t for _, t in visited) / len(visited))


if __name__ == "__main__":
    main()
