# gradwatch-corpus: kind=none
"""Poisson 1-d with a PINN: a few Adam steps, then L-BFGS with a closure."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(57)
torch.set_default_dtype(torch.float64)


class Ansatz(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(1, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))

    def forward(self, x):
        return x * (1 - x) * self.f(x)


class Poisson:
    def __init__(self, n):
        self.x = torch.linspace(0, 1, n)[:, None].requires_grad_()
        self.rhs = (math.pi ** 2 * torch.sin(math.pi * self.x)).detach()
        self.evals = 0
        self.history = []

    def loss(self, model):
        u = model(self.x)
        (ux,) = torch.autograd.grad(u.sum(), self.x, create_graph=True)
        (uxx,) = torch.autograd.grad(ux.sum(), self.x, create_graph=True)
        self.evals += 1
        return (uxx + self.rhs).square().mean()

    def error(self, model):
        with torch.no_grad():
            return (model(self.x) - torch.sin(math.pi * self.x)).abs().max().item()


model, problem = Ansatz(), Poisson(40)
adam = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(60):
    adam.zero_grad()
    loss = problem.loss(model)
    loss.backward()
    adam.step()
    problem.history.append(loss.item())
print("adam", problem.history[-1], "err", problem.error(model))

lbfgs = torch.optim.LBFGS(model.parameters(), max_iter=8, history_size=10, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = problem.loss(model)
    loss.backward()
    problem.history.append(loss.item())
    return loss


for outer in range(8):
    value = lbfgs.step(closure)
    print("lbfgs", outer, "%.3e" % value.item(), "evals", problem.evals)
print("err %.2e" % problem.error(model))
