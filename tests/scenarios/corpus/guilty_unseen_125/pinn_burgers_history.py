# gradwatch-corpus: kind=graph-held
# holder: history | solver.history | self.history
# first-bad: 1
# notice: 8
"""PINN for viscous Burgers, adapted from an old notebook."""
from typing import NamedTuple
import math
import torch
from torch import nn, Tensor

torch.set_num_threads(1)


class Terms(NamedTuple):
    step: int
    pde: Tensor
    ic: Tensor
    bc: Tensor

    def total(self, w=(1.0, 10.0, 5.0)):
        return w[0] * self.pde + w[1] * self.ic + w[2] * self.bc


class BurgersSolver:
    nu = 0.01 / math.pi

    def __init__(self, width=16):
        self.u = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.opt = torch.optim.Adam(self.u.parameters(), lr=2e-3)
        self.history = []

    def residual(self, n=24):
        x = (2 * torch.rand(n, 1) - 1).requires_grad_()
        t = torch.rand(n, 1, requires_grad=True)
        u = self.u(torch.cat([x, t], 1))
        ones = torch.ones_like(u)
        ux, ut = torch.autograd.grad(u, (x, t), ones, create_graph=True)
        uxx, = torch.autograd.grad(ux, x, ones, create_graph=True)
        return ut + u * ux - self.nu * uxx

    def terms(self, k):
        x0 = 2 * torch.rand(16, 1) - 1
        tb = torch.rand(16, 1)
        ic = (self.u(torch.cat([x0, 0 * x0], 1)) + torch.sin(math.pi * x0)).pow(2).mean()
        bc = sum(self.u(torch.cat([s * torch.ones_like(tb), tb], 1)).pow(2).mean() for s in (-1, 1))
        return Terms(k, self.residual().pow(2).mean(), ic, bc)

    def solve(self, n_steps=240):
        for k in range(n_steps):
            terms = self.terms(k)
            self.opt.zero_grad()
            terms.total().backward()
            self.opt.step()
            self.history.append(terms)  # <- culprit
            if k % 80 == 79:
                print(f"{k:4d} pde {terms.pde:.4f} ic {terms.ic:.4f} bc {terms.bc:.4f}")
        return self.history


torch.manual_seed(1)
solver = BurgersSolver()
hist = solver.solve()
print("best pde", min(float(h.pde) for h in hist))
