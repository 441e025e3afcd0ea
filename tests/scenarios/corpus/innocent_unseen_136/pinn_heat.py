# gradwatch-corpus: kind=none
"""Heat equation by a physics-informed net, derivatives through backward on the collocation points."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)

ALPHA = 0.1


class Field(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.a = nn.Linear(2, width)
        self.b = nn.Linear(width, width)
        self.c = nn.Linear(width, 1)

    def forward(self, x, t):
        h = torch.tanh(self.a(torch.cat([x, t], 1)))
        h = torch.tanh(self.b(h))
        return self.c(h)


class Collocation:
    def __init__(self, n):
        self.x = torch.empty(n, 1, requires_grad=True)
        self.t = torch.empty(n, 1, requires_grad=True)

    def redraw(self):
        with torch.no_grad():
            self.x.uniform_(0, 1)
            self.t.uniform_(0, 1)

    def pull(self, scalar):
        scalar.backward(create_graph=True, inputs=[self.x, self.t])
        gx, gt = self.x.grad, self.t.grad
        self.x.grad = self.t.grad = None
        return gx, gt

    def residual(self, u):
        u_x, u_t = self.pull(u(self.x, self.t).sum())
        u_xx, _ = self.pull(u_x.sum())
        return u_t - ALPHA * u_xx


def initial(x):
    return torch.sin(math.pi * x)


def solution(x, t):
    return torch.exp(torch.tensor(-ALPHA * math.pi ** 2 * t)) * torch.sin(math.pi * x)


def edges(u, n):
    t = torch.rand(n, 1)
    zero, one = torch.zeros(n, 1), torch.ones(n, 1)
    x0 = torch.rand(n, 1)
    start = (u(x0, torch.zeros(n, 1)) - initial(x0)).pow(2).mean()
    return start + u(zero, t).pow(2).mean() + u(one, t).pow(2).mean()


def main():
    torch.manual_seed(18)
    u = Field()
    points = Collocation(20)
    opt = torch.optim.Adam(u.parameters(), lr=4e-3)
    xs = torch.linspace(0, 1, 15).unsqueeze(1)
    for it in range(420):
        points.redraw()
        pde = points.residual(u).pow(2).mean()
        side = edges(u, 12)
        opt.zero_grad(set_to_none=True)
        pg = torch.autograd.grad(pde + 3 * side, list(u.parameters()), allow_unused=True)
        for p, g in zip(u.parameters(), pg):
            p.grad = g
        opt.step()
        if it % 100 == 0:
            with torch.no_grad():
                err = (u(xs, torch.full_like(xs, 0.5)) - solution(xs, 0.5)).abs().max()
            print(f"{it} pde {pde.item():.4f} edges {side.item():.4f} err {err.item():.3f}")


main()
