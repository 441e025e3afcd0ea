# gradwatch-corpus: kind=none
"""Physics-informed net for viscous Burgers with gradient-balanced loss weights."""
import math

import torch
from torch import nn

NU = 0.01 / math.pi


class Field(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(i, o) for i, o in zip(dims, dims[1:]))
        self.last = nn.Linear(width, 1)

    def forward(self, x, t):
        h = torch.cat([x, t], 1)
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.last(h)


def d(out, wrt):
    return torch.autograd.grad(out, wrt, torch.ones_like(out), create_graph=True)[0]


class BurgersProblem:
    def __init__(self, n_inside=200, n_edge=60):
        self.n_inside, self.n_edge = n_inside, n_edge
        self.x = torch.empty(n_inside, 1, requires_grad=True)
        self.t = torch.empty(n_inside, 1, requires_grad=True)

    def resample(self):
        with torch.no_grad():
            self.x.uniform_(-1, 1)
            self.t.uniform_(0, 1)

    def terms(self, net):
        u = net(self.x, self.t)
        u_x = d(u, self.x)
        residual = d(u, self.t) + u * u_x - NU * d(u_x, self.x)
        x0 = torch.rand(self.n_edge, 1) * 2 - 1
        start = net(x0, torch.zeros_like(x0)) + torch.sin(math.pi * x0)
        tb = torch.rand(self.n_edge, 1)
        wall = torch.cat([net(torch.ones_like(tb), tb), net(-torch.ones_like(tb), tb)])
        return {"pde": residual.square().mean(), "ic": start.square().mean(),
                "bc": wall.square().mean()}


class GradientBalance:
    """Weights that even out the gradient size at the last hidden layer."""

    def __init__(self, names, beta=0.9):
        self.weight = {n: torch.ones(()) for n in names}
        self.beta = beta

    def refresh(self, terms, anchor):
        size = {}
        for name, value in terms.items():
            g, = torch.autograd.grad(value, anchor, retain_graph=True)
            size[name] = g.abs().mean()
        mean = sum(size.values()) / len(size)
        for name, s in size.items():
            target = (mean / (s + 1e-8)).clamp(0.1, 10.0)
            self.weight[name] = self.beta * self.weight[name] + (1 - self.beta) * target

    def combine(self, terms):
        return sum(self.weight[n] * v for n, v in terms.items())


def train(steps=200):
    torch.manual_seed(10)
    net, problem = Field(), BurgersProblem()
    balance = GradientBalance(("pde", "ic", "bc"))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    curve = {n: [] for n in balance.weight}
    for step in range(steps):
        problem.resample()
        terms = problem.terms(net)
        if step % 5 == 0:
            balance.refresh(terms, net.hidden[-1].weight)
        opt.zero_grad()
        balance.combine(terms).backward()
        opt.step()
        problem.x.grad = problem.t.grad = None
        for n, v in terms.items():
            curve[n].append(v.item())
        if step % 40 == 0:
            print(f"step {step:3d} " + "  ".join(
                f"{n} {curve[n][-1]:.4f} (w {balance.weight[n]:.2f})" for n in curve))
    return curve


if __name__ == "__main__":
    train()
