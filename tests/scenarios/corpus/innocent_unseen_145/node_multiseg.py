# gradwatch-corpus: kind=none
"""Neural ODE for a Lotka-Volterra record, fitted segment by segment through one long solve per record."""
import torch

torch.set_num_threads(1)
import torch.nn as nn


class EulerStep(torch.autograd.Function):
    """z + h f(z) with a re-evaluated right-hand side in the backward pass."""

    @staticmethod
    def forward(ctx, z, h, func, *theta):
        ctx.save_for_backward(z)
        ctx.h, ctx.func = h, func
        with torch.no_grad():
            return z + h * func(z)

    @staticmethod
    def backward(ctx, adj):
        (z,) = ctx.saved_tensors
        with torch.enable_grad():
            zz = z.detach().requires_grad_()
            out = ctx.func(zz)
        theta = tuple(ctx.func.parameters())
        gz, *gt = torch.autograd.grad(out, (zz, *theta), adj)
        return (adj + ctx.h * gz, None, None, *(ctx.h * g for g in gt))


class RHS(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, z):
        return self.net(z)


def solve(func, z, steps, h):
    for _ in range(steps):
        z = EulerStep.apply(z, h, func, *func.parameters())
    return z


def record(n_obs, gap, h, batch=3):
    z = torch.rand(batch, 2) + 0.5
    rows = [z]
    for _ in range(n_obs):
        for _ in range(gap):
            x, y = z.unbind(-1)
            z = z + h * torch.stack([x - x * y, x * y - y], -1)
        rows.append(z)
    return rows


def main(n_records=420, n_obs=5, gap=2, h=0.1):
    torch.manual_seed(31)
    func = RHS()
    opt = torch.optim.Adam(func.parameters(), lr=5e-3)
    for r in range(n_records):
        rows = record(n_obs, gap, h)
        opt.zero_grad()
        z, err = rows[0], 0.0
        for k, obs in enumerate(rows[1:], 1):
            z = solve(func, z, gap, h)
            seg = (z - obs).abs().mean()
            seg.backward(retain_graph=k < n_obs)
            err += seg.item()
        opt.step()
        if r % 70 == 0:
            print("record", r, round(err / n_obs, 4))


main()
