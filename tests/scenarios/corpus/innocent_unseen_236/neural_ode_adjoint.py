# gradwatch-corpus: kind=none
"""Neural ODE with the adjoint method as a custom autograd Function (Chen et al., 2018), two-moons classifier."""
import argparse
import math
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--dim", type=int, default=6)
    p.add_argument("--hidden", type=int, default=24)
    p.add_argument("--n_steps", type=int, default=6)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--iters", type=int, default=90)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--micro", type=int, default=2)
    return p.parse_args([])


class Field(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.a = nn.Linear(dim + 1, hidden)
        self.b = nn.Linear(hidden, dim)
        self.nfe = 0

    def forward(self, t, z):
        self.nfe += 1
        tt = torch.full_like(z[:, :1], t)
        return self.b(torch.tanh(self.a(torch.cat([z, tt], dim=-1))))


class AdjointODE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, field, n_steps, z0, *params):
        dt = 1.0 / n_steps
        z = z0
        for k in range(n_steps):
            mid = z + 0.5 * dt * field(k * dt, z)
            z = z + dt * field((k + 0.5) * dt, mid)
        ctx.field = field
        ctx.n_steps = n_steps
        ctx.save_for_backward(z, *params)
        return z

    @staticmethod
    def backward(ctx, grad_z):
        z, *params = ctx.saved_tensors
        dt = 1.0 / ctx.n_steps
        adj = grad_z
        g_params = [torch.zeros_like(p) for p in params]
        for k in reversed(range(ctx.n_steps)):
            t = (k + 0.5) * dt
            with torch.enable_grad():
                z_in = z.detach().requires_grad_()
                f = ctx.field(t, z_in)
                vjp = torch.autograd.grad(f, [z_in, *params], grad_outputs=adj)
            z = z - dt * f.detach()
            adj = adj + dt * vjp[0]
            g_params = [g + dt * v for g, v in zip(g_params, vjp[1:])]
        return (None, None, adj, *g_params)


class ODEClassifier(nn.Module):
    def __init__(self, dim, hidden, n_steps):
        super().__init__()
        self.lift = nn.Linear(2, dim)
        self.field = Field(dim, hidden)
        self.head = nn.Linear(dim, 2)
        self.n_steps = n_steps

    def forward(self, x):
        z0 = self.lift(x)
        z1 = AdjointODE.apply(self.field, self.n_steps, z0, *self.field.parameters())
        return self.head(z1)


def moons(n):
    y = torch.randint(0, 2, (n,))
    th = math.pi * torch.rand(n)
    x0 = torch.stack([th.cos(), th.sin()], dim=-1)
    x1 = torch.stack([1.0 - th.cos(), 0.5 - th.sin()], dim=-1)
    x = torch.where(y[:, None] == 0, x0, x1)
    return x + 0.08 * torch.randn(n, 2), y


def main():
    args = get_args()
    torch.manual_seed(12)
    model = ODEClassifier(args.dim, args.hidden, args.n_steps)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.iters)
    log = OrderedDict(loss=[], acc=[], nfe=[])
    for it in range(args.iters):
        opt.zero_grad()
        model.field.nfe = 0
        total = 0.0
        right = 0
        for _ in range(args.micro):
            x, y = moons(args.batch)
            logits = model(x)
            loss = F.cross_entropy(logits, y) / args.micro
            loss.backward()
            total += loss.item()
            right += (logits.argmax(-1) == y).sum().item()
        opt.step()
        sched.step()
        log["loss"].append(total)
        log["acc"].append(right / (args.micro * args.batch))
        log["nfe"].append(model.field.nfe)
        if (it + 1) % 30 == 0:
            print(it + 1, {k: round(sum(v[-10:]) / 10, 3) for k, v in log.items()})


if __name__ == "__main__":
    main()
