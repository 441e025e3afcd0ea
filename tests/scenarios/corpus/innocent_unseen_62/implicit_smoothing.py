# gradwatch-corpus: kind=none
"""Learn where to smooth: bilevel denoising with implicit gradients.

The inner problem reconstructs a signal under position-dependent smoothing
weights, which a network predicts from local features; the outer problem fits
that network to clean signals. The inner solution is started from the previous
solution for the same signal, and the outer gradient solves the adjoint system by
conjugate gradients with Hessian-vector products.
"""
import argparse

import torch
from torch import nn


def signals(n, length, seed):
    """Piecewise-smooth membrane currents and their noisy recordings."""
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, length)
    jumps = torch.rand(n, 2, 1, generator=g)
    height = torch.randn(n, 2, 1, generator=g)
    clean = (height * (t > jumps)).sum(1) + 0.3 * torch.sin(6 * t + jumps[:, 0] * 6)
    return clean, clean + 0.2 * torch.randn(n, length, generator=g)


def inner_energy(u, noisy, weights):
    du = u[:, 1:] - u[:, :-1]
    penalty = (1 + du.square() / 0.05).log()
    return 0.5 * (u - noisy).square().sum() + (weights * penalty).sum() * 0.05


class WeightNet(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, ch, 5, padding=2), nn.Tanh(),
                                 nn.Conv1d(ch, 1, 4, padding=1))

    def forward(self, noisy):
        out = self.net(noisy[:, None])[:, 0, :noisy.shape[1] - 1]
        return nn.functional.softplus(out + 1.0)


def conjugate_gradients(matvec, b, iters):
    x, r = torch.zeros_like(b), b.clone()
    p, rs = r.clone(), (r * r).sum()
    for _ in range(iters):
        ap = matvec(p)
        alpha = rs / ((p * ap).sum() + 1e-10)
        x, r = x + alpha * p, r - alpha * ap
        new = (r * r).sum()
        if new < 1e-8:
            break
        p, rs = r + new / rs * p, new
    return x


class InnerSolve(torch.autograd.Function):
    """u*(weights) = argmin of the inner energy, differentiated implicitly."""

    @staticmethod
    def forward(ctx, weights, noisy, start):
        u = start.clone()
        w = weights.detach()
        for _ in range(12):
            with torch.enable_grad():
                v = u.requires_grad_()
                (g,) = torch.autograd.grad(inner_energy(v, noisy, w), v)
            u = (v - 0.15 * g).detach()
        ctx.save_for_backward(weights, noisy, u)
        return u.clone()

    @staticmethod
    def backward(ctx, grad_u):
        weights, noisy, u = ctx.saved_tensors
        with torch.enable_grad():
            v = u.detach().requires_grad_()
            w = weights.detach().requires_grad_()
            (g,) = torch.autograd.grad(inner_energy(v, noisy, w), v, create_graph=True)

            def hvp(p):
                return torch.autograd.grad(g, v, p, retain_graph=True)[0] + 0.1 * p

            adj = conjugate_gradients(hvp, grad_u, iters=6)
            (gw,) = torch.autograd.grad(g, w, adj)
        return -gw, None, None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=160)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--length", type=int, default=40)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    clean, noisy = signals(96, args.length, seed=1)
    warm = noisy.clone()
    net = WeightNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    average = 0.0
    for it in range(args.iters):
        idx = torch.randperm(len(noisy))[:args.batch]
        u = InnerSolve.apply(net(noisy[idx]), noisy[idx], warm[idx])
        warm[idx] = u.detach()
        loss = (u - clean[idx]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        average = 0.9 * average + 0.1 * loss.detach()
        if it % 20 == 0:
            print(f"{it:4d}  outer {loss.item():.5f}  average {float(average):.5f}")


if __name__ == "__main__":
    main()
