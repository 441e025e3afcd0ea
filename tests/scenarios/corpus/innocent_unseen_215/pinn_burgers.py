# gradwatch-corpus: kind=none
"""Burgers' equation with a physics-informed net; loss weights from gradient norms every few steps."""
import math

import torch
from torch import nn


class PINN(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.out = nn.Linear(width, 1)

    def forward(self, x, t):
        h = torch.cat([x, t], 1)
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class BurgersSolver:
    def __init__(self, nu=0.01 / math.pi, n_f=200, n_b=60, adapt_every=10):
        self.net = PINN()
        self.nu, self.adapt_every = nu, adapt_every
        self.xf = (torch.rand(n_f, 1) * 2 - 1).requires_grad_(True)
        self.tf = torch.rand(n_f, 1).requires_grad_(True)
        self.x0 = torch.rand(n_b, 1) * 2 - 1
        self.u0 = -torch.sin(math.pi * self.x0)
        self.tb = torch.rand(n_b, 1)
        self.weight = torch.tensor(1.0)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)

    def residual(self):
        u = self.net(self.xf, self.tf)
        u_x, u_t = d(u, self.xf), d(u, self.tf)
        return (u_t + u * u_x - self.nu * d(u_x, self.xf)).pow(2).mean()

    def boundary(self):
        ini = (self.net(self.x0, torch.zeros_like(self.x0)) - self.u0).pow(2).mean()
        edge = sum(self.net(torch.full_like(self.tb, s), self.tb).pow(2).mean() for s in (-1.0, 1.0))
        return ini + edge

    def rebalance(self, pde, data):
        params = list(self.net.hidden.parameters())
        gp = torch.autograd.grad(pde, params, retain_graph=True, allow_unused=True)
        gd = torch.autograd.grad(data, params, retain_graph=True)
        top = max(g.abs().max() for g in gp if g is not None)
        mean = torch.stack([g.abs().mean() for g in gd]).mean()
        self.weight = 0.9 * self.weight + 0.1 * (top / mean).clamp(max=50).detach()

    def train(self, iters):
        for it in range(iters):
            pde, data = self.residual(), self.boundary()
            if it % self.adapt_every == 0:
                self.rebalance(pde, data)
            loss = pde + self.weight * data
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if (it + 1) % 40 == 0:
                print(f"{it + 1:4d} pde {pde.item():.4f} data {data.item():.4f} w {self.weight.item():.2f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    BurgersSolver().train(120)
