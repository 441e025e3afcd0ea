# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Viscous Burgers equation with a small PINN; conservation is monitored along the way."""
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Problem:
    nu: float = 0.05
    n_interior: int = 96
    n_boundary: int = 24
    grid_x: int = 40
    grid_t: int = 12
    iters: int = 420
    lr: float = 2e-3
    seed: int = 31


class Field(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        layers = []
        for a, b in zip(dims, dims[1:]):
            layers += [nn.Linear(a, b), nn.Tanh()]
        self.body = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, xt):
        return self.body(xt)


def grad(out, inp):
    return torch.autograd.grad(out.sum(), inp, create_graph=True)[0]


def residual(field, xt, nu):
    u = field(xt)
    du = grad(u, xt)
    u_x, u_t = du[:, :1], du[:, 1:]
    u_xx = grad(u_x, xt)[:, :1]
    return u_t + u * u_x - nu * u_xx


class Sampler:
    def __init__(self, prob, seed):
        self.p = prob
        self.gen = torch.Generator().manual_seed(seed)

    def interior(self):
        xt = torch.rand(self.p.n_interior, 2, generator=self.gen)
        xt[:, 0] = 2 * xt[:, 0] - 1
        return xt.requires_grad_()

    def initial(self):
        x = torch.rand(self.p.n_boundary, 1, generator=self.gen) * 2 - 1
        return torch.cat([x, torch.zeros_like(x)], 1), -torch.sin(math.pi * x)

    def walls(self):
        t = torch.rand(self.p.n_boundary, 1, generator=self.gen)
        side = torch.randint(0, 2, t.shape, generator=self.gen).float() * 2 - 1
        return torch.cat([side, t], 1)


class Monitor:
    def __init__(self, prob):
        x = torch.linspace(-1, 1, prob.grid_x)
        t = torch.linspace(0, 1, prob.grid_t)
        self.shape = (prob.grid_t, prob.grid_x)
        self.points = torch.cartesian_prod(t, x).flip(1).contiguous()
        self.rows = []

    def measure(self, field):
        u = field(self.points).view(self.shape)  # <- culprit
        steepest = u.diff(dim=1).abs().max().item()
        energy = u.square().mean(1)
        self.rows.append((steepest, (energy[-1] - energy[0]).item()))


def main():
    prob = Problem()
    torch.manual_seed(prob.seed)
    field = Field()
    sampler, monitor = Sampler(prob, prob.seed), Monitor(prob)
    opt = torch.optim.Adam(field.parameters(), lr=prob.lr)
    for it in range(prob.iters):
        pde = residual(field, sampler.interior(), prob.nu).square().mean()
        xt0, u0 = sampler.initial()
        ic = (field(xt0) - u0).square().mean()
        bc = field(sampler.walls()).square().mean()
        loss = pde + 10 * ic + bc
        opt.zero_grad()
        loss.backward()
        opt.step()
        monitor.measure(field)
        if it % 105 == 104:
            steepest, decay = monitor.rows[-1]
            print(f"it {it + 1}: loss {loss.item():.4f} steepest {steepest:.3f} energy change {decay:+.4f}")


if __name__ == "__main__":
    main()
