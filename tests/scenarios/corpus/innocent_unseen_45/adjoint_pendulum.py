# gradwatch-corpus: kind=none
"""Neural ODE for a damped pendulum, trained through a hand-made adjoint."""
import torch
from torch import nn


class Dynamics(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 2))
        self.evaluations = 0

    def forward(self, y):
        self.evaluations += 1
        return self.net(y)


def rk4(f, y, h):
    k1 = f(y)
    k2 = f(y + 0.5 * h * k1)
    k3 = f(y + 0.5 * h * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class RecomputedSolve(torch.autograd.Function):
    """Stores the trajectory only; each step's graph is rebuilt on the way back."""

    @staticmethod
    def forward(ctx, f, h, steps, y0, *params):
        path = [y0]
        with torch.no_grad():
            for _ in range(steps):
                path.append(rk4(f, path[-1], h))
        out = torch.stack(path)
        ctx.f, ctx.h = f, h
        ctx.save_for_backward(out, *params)
        return out

    @staticmethod
    def backward(ctx, grad_out):
        path, *params = ctx.saved_tensors
        adj = grad_out[-1].clone()
        totals = [torch.zeros_like(p) for p in params]
        for i in range(len(path) - 2, -1, -1):
            with torch.enable_grad():
                y = path[i].detach().requires_grad_()
                nxt = rk4(ctx.f, y, ctx.h)
            g_y, *g_p = torch.autograd.grad(nxt, [y, *params], adj)
            adj = g_y + grad_out[i]
            for total, g in zip(totals, g_p):
                total += g
        return (None, None, None, adj, *totals)


def solve(f, y0, h, steps):
    return RecomputedSolve.apply(f, h, steps, y0, *f.parameters())


def pendulum(y):
    angle, speed = y.unbind(-1)
    return torch.stack([speed, -2.0 * torch.sin(angle) - 0.15 * speed], -1)


class Curriculum:
    def __init__(self, start=3, end=10, every=25):
        self.start, self.end, self.every = start, end, every
        self.album = {}

    def horizon(self, it):
        return min(self.end, self.start + it // self.every)

    def keep(self, it, path):
        self.album[it] = path.detach()[:, 0].clone()


def main(iterations=120, h=0.1):
    torch.manual_seed(37)
    f = Dynamics()
    opt = torch.optim.Adam(f.parameters(), lr=5e-3)
    plan = Curriculum()
    smooth = None
    for it in range(iterations):
        steps = plan.horizon(it)
        y0 = torch.randn(24, 2)
        truth = [y0]
        for _ in range(steps):
            truth.append(rk4(pendulum, truth[-1], h))
        path = solve(f, y0, h, steps)
        loss = (path - torch.stack(truth)).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.detach() if smooth is None else 0.9 * smooth + 0.1 * loss.detach()
        if it % 20 == 0:
            plan.keep(it, path)
            print(f"it {it:3d} horizon {steps} mse {smooth:.5f} evals {f.evaluations}")
    print("album:", sorted(plan.album))


if __name__ == "__main__":
    main()
