# gradwatch-corpus: kind=graph-held
# holder: calls | TRACES["residual"] | TRACES
# first-bad: 1
# notice: 8
import functools
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)

TRACES = {}


def traced(name):
    """Remember what a term of the loss returned, for the convergence plot."""
    calls = TRACES.setdefault(name, [])

    def deco(fn):
        @functools.wraps(fn)
        def inner(*args, **kw):
            out = fn(*args, **kw)
            calls.append(out)  # <- culprit
            return out
        return inner
    return deco


class Pinn(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


class Burgers:
    nu = 0.01 / math.pi

    def __init__(self, model):
        self.model = model

    def grad(self, u, v):
        return torch.autograd.grad(u.sum(), v, create_graph=True)[0]

    @traced("residual")
    def residual(self, x, t):
        x.requires_grad_(True)
        t.requires_grad_(True)
        u = self.model(x, t)
        u_x, u_t = self.grad(u, x), self.grad(u, t)
        u_xx = self.grad(u_x, x)
        return (u_t + u * u_x - self.nu * u_xx).pow(2).mean()

    def initial(self, x):
        return (self.model(x, torch.zeros_like(x)) + torch.sin(math.pi * x)).pow(2).mean()

    def boundary(self, t):
        one = torch.ones_like(t)
        return self.model(one, t).pow(2).mean() + self.model(-one, t).pow(2).mean()


def main(steps=80):
    model = Pinn()
    problem = Burgers(model)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(steps):
        x, t = torch.rand(64, 1) * 2 - 1, torch.rand(64, 1)
        loss = problem.residual(x, t) + problem.initial(torch.rand(32, 1) * 2 - 1)
        loss = loss + problem.boundary(torch.rand(16, 1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"{step:3d} {loss.item():.4f}")
    curve = [float(v) for v in TRACES["residual"]]
    print(f"residual {curve[0]:.4f} -> {curve[-1]:.4f}")


main()
