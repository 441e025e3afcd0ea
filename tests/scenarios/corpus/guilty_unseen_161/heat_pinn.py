# gradwatch-corpus: kind=grads-accumulate
"""Physics-informed network for u_t = a u_xx on [0,1] with learnable diffusivity."""
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Problem:
    a_true: float = 0.08
    n_colloc: int = 96
    n_data: int = 64

    def exact(self, xt):
        x, t = xt[:, :1], xt[:, 1:]
        return torch.exp(-self.a_true * math.pi ** 2 * t) * torch.sin(math.pi * x)


class Field(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(i, o) for i, o in zip(dims, dims[1:]))
        self.out = nn.Linear(width, 1)
        self.log_a = nn.Parameter(torch.tensor(-1.5))

    def forward(self, xt):
        h = xt
        for lin in self.hidden:
            h = torch.tanh(lin(h))
        return self.out(h)


def residual(field, xt):
    xt = xt.requires_grad_(True)
    u = field(xt)
    du, = torch.autograd.grad(u.sum(), xt, create_graph=True)
    d2, = torch.autograd.grad(du[:, 0].sum(), xt, create_graph=True)
    return du[:, 1] - field.log_a.exp() * d2[:, 0]


class Solver:
    def __init__(self, problem, lr=1e-3):
        self.problem = problem
        self.field = Field()
        self.opt = torch.optim.Adam(self.field.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 40, gamma=0.5)

    def objective(self):
        p = self.problem
        xt = torch.rand(p.n_data, 2)
        fit = (self.field(xt) - p.exact(xt)).pow(2).mean()
        res = residual(self.field, torch.rand(p.n_colloc, 2)).pow(2).mean()
        return fit + 0.1 * res, fit

    def step(self):
        loss, fit = self.objective()
        loss.backward()
        self.opt.step()  # <- culprit
        self.sched.step()
        return loss.item(), fit.item()

    def solve(self, iters):
        self.opt.zero_grad()  # <- culprit
        for it in range(iters):
            total, fit = self.step()  # <- culprit
            if it % 25 == 0:
                a = self.field.log_a.exp().item()
                print(f"{it:4d} total {total:.4f} fit {fit:.4f} a {a:.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(31)
    Solver(Problem()).solve(120)
