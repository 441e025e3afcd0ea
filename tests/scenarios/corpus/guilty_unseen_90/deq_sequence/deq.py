import torch
from torch import nn

from solvers import fixed_point, make_vjp, neumann


class InjectedCell(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        nn.init.normal_(self.lin.weight, std=0.3 / dim ** 0.5)

    def forward(self, z, x):
        return self.norm(torch.tanh(self.lin(z) + x) + 0.5 * x)


class DEQBlock(nn.Module):
    def __init__(self, cell, terms):
        super().__init__()
        self.cell, self.terms = cell, terms
        self.residual = float("nan")

    def forward(self, x):
        with torch.no_grad():
            z, self.residual = fixed_point(lambda z: self.cell(z, x), torch.zeros_like(x))
        z = self.cell(z, x)
        if z.requires_grad:
            z0 = z.detach().clone().requires_grad_()
            f0 = self.cell(z0, x)
            vjp = make_vjp(f0, z0)  # <- culprit
            terms = self.terms.value
            z.register_hook(lambda g: neumann(vjp, g, terms))
        return z
